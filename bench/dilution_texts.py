"""A made-up conversation of 23 exchanges, one of which answers the question."""

from __future__ import annotations

QUESTION = "How much memory does the NiPoGi have?"
#: Its place among the exchanges, from 0.
ANSWERS = 11

EXCHANGES: tuple[tuple[str, str], ...] = (
    (
        "Which day is the paper collected here?",
        "Paper is collected every second Thursday, and the next time is the 14th.",
    ),
    (
        "Can you shorten this for the newsletter?",
        "Done: the club meets on Friday, and guests are welcome from six o'clock.",
    ),
    ("What was the name of that bakery in Nantes?", "You called it the Fournil du Port, near the tram stop."),
    (
        "The tap in the kitchen drips again.",
        "Then the seal is worn. A new one costs little, and the water has to be shut first.",
    ),
    ("How long do lentils cook?", "Green lentils take twenty five minutes, red ones less than fifteen."),
    ("Remind me what we paid for the ferry.", "The crossing was 184 euros for two people and the van, with a cabin."),
    ("Is the library open on Mondays?", "No, it opens from Tuesday to Saturday, and on Wednesdays until eight."),
    ("Write me a line for Paul's birthday card.", "Happy birthday, Paul: may every hill be downhill on the way home."),
    (
        "Which tyres did I put on the green bicycle?",
        "The ones with a puncture guard, 37 millimetres wide, last spring.",
    ),
    ("What is a good warm-up before running?", "Walk for five minutes, then swing your legs and run slowly at first."),
    ("The heating makes a knocking sound.", "There is air in the pipes. Bleed the radiators, the highest one last."),
    ("I put new memory into the NiPoGi today, it has 32 GB now.", "Noted: the NiPoGi has 32 GB of memory now."),
    ("Which film did we want to see?", "The one about the lighthouse keeper. It runs until the end of the month."),
    (
        "How do I get red wine out of a white shirt?",
        "Salt at once, then cold water, and soap only when the stain is pale.",
    ),
    ("Does the neighbour's dog bite?", "You said that it barks a lot and has never bitten anybody."),
    ("Plan a walk for Sunday.", "Along the canal to the old mill and back over the ridge, three hours in all."),
    ("What should I plant now?", "In October garlic and broad beans, and spinach under glass."),
    ("Who fixed the roof in the end?", "The roofer from Vertou came in June and replaced eleven slates."),
    ("How many guests come on Saturday?", "Nine have said yes, and two have not answered yet."),
    ("Translate: the meeting is put off.", "La réunion est reportée."),
    ("What is the code of the car park?", "I do not have it. You wrote it on the card in your wallet."),
    ("Is the piano still out of tune?", "The tuner comes on the 3rd, in the morning."),
    ("Which book was I reading on the train?", "The one on the history of salt; you stopped at the chapter on Venice."),
)
