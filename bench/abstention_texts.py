"""Notes, exchanges and questions for bench/abstention.py, written for it by hand before the rule was changed.

Four lines each: what a memory holds (`//` begins the assistant's part of an exchange), a question that it answers, one
near in topic whose subject (a person, a thing, a place, an event) no text of its language names, and the first question
once more, asked of a subject that no text names. Every other one is for choosing the rule, the rest for the figure: two
memories of 32 rows a language. French: abstention_texts_fr.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from bench.abstention_texts_fr import FRENCH

ENGLISH = """
The spare key is with Mrs Dalton on the second floor.
Who has our spare key?
Which locksmith changed the cellar door?
Who has the spare key of the caravan?

My dentist is Dr Okafor on Mill Lane, and the next check-up is on 14 March.
When do I have to go to the dentist?
Which optician made my reading glasses?
When do I have to go to the cardiologist?

user: I finally booked the ferry, we leave Harwich on the Friday night. // Lovely, then you are in Hoek van Holland \
on Saturday morning.
From which port does our ferry leave?
At which airport do we change planes for Lisbon?
From which port does the cruise to Bergen leave?

Tom is allergic to peanuts and to kiwi.
What must Tom not eat?
Which medicine does Aunt Beryl take for her blood pressure?
What must Yusuf not eat?

The office printer is the Brother on the third floor, its address is 10.0.4.17.
What is the address of the office printer?
What is the serial number of the projector?
What is the address of the plotter?

user: The boiler man came, he says the valve is worn and the part costs 85 pounds. // Shall I remind you to order the \
valve?
How much does the part for the boiler cost?
How much did the new dishwasher cost?
How much does the part for the tumble dryer cost?

Our cat is called Biscuit and was born in May 2019.
How old is our cat?
What breed is the neighbours' parrot?
How old is the hamster?

Grandma's apple cake: 200 g flour, 3 eggs, 150 g sugar, bake 45 minutes at 180 degrees.
How long does the apple cake have to bake?
How much yeast goes into the pizza dough?
How long does the lasagne have to bake?

The team meets every Tuesday at 10 in room Hopper.
In which room is the Tuesday meeting?
Who takes the minutes of the shareholders' assembly?
In which room is the yoga class?

user: I signed the lease today, 940 a month and the deposit is two months. // Congratulations! So the deposit is 1,880.
What is the rent of the new flat?
What interest do we pay on the mortgage of the cottage?
What is the rent of the warehouse in Dover?

My sister Ines teaches chemistry in Bristol.
Where does Ines work?
What does my cousin Rupert do for a living?
Where does Malcolm work?

The wifi at the cabin is called Heron, and the password hangs inside the cupboard door.
How do I get on the wifi at the cabin?
What is the combination of the safe?
How do I get on the wifi at the clinic?

user: Ran ten kilometres in 54 minutes this morning, my best so far. // Well done! Your former best was 56.
What is my best time over ten kilometres?
How many lengths did I swim at the lido?
What is my best time in the triathlon?

The car goes in for its service in October, at Barlow's garage.
Who services our car?
What did the mechanic say about the motorbike?
Who services the tractor?

We chose PostgreSQL for the billing service because of its row locks.
Why did we take PostgreSQL for billing?
Why did we drop Kubernetes?
Why did we take Elasticsearch for the catalogue?

user: The school called, Mia's trip to the planetarium is moved to the 23rd. // I will keep in mind that it is the 23rd.
On what day is Mia's school trip?
Who plays the wolf in the school theatre?
On what day is Noor's swimming gala?

Passport number is in the blue folder, and it runs out in June 2028.
When does my passport run out?
Where did I put the birth certificate?
When does my fishing licence run out?

The roses are cut back in late February, just above an outward bud.
When do the roses have to be cut?
What was the fertiliser for the tomatoes called?
When does the wisteria have to be cut?

user: We had dinner at Osteria Lucia again, the squid was wonderful. // Then it is still your favourite Italian place.
What did we like at Osteria Lucia?
Which sushi bar did Hannah recommend?
What did we like at Chez Bernard?

My bicycle is a green Trek, frame number WTU184K.
What is the frame number of my bicycle?
What size are the snow chains?
What is the frame number of the pushchair?

The landlord is Mr Petrov, reachable in the evening only.
When can I reach the landlord?
What is the telephone number of the plumber?
When can I reach the notary?

user: I gave the talk on compilers in Utrecht, about eighty people came. // A good crowd for a topic like that.
How many people heard my talk?
Who reviewed my article on cryptography?
How many people heard the sermon?

I take my coffee without milk, and no sugar.
How do I take my coffee?
Which brand of gin does Oliver drink?
How does Philippa take her tea?

Invoices go to accounts@larkfield.example before the fifth of the month.
By when must an invoice be sent?
What is the VAT number of the Norwegian subsidiary?
By when must a tax return be sent?

user: Picked a name for the sailing boat: Kittiwake. // A fine name. Shall I write it down?
What is our boat called?
Who repaired the accordion?
What is the canoe called?

The backup of the photos runs on Sunday night to the disk in the hall.
Where do the photos get backed up?
How long does the drone fly on one battery?
Where do the medical records get backed up?

Joanna and Peter marry on 6 September in York.
When is the wedding of Joanna and Peter?
Where will the christening of the twins be held?
When is the funeral of Aunt Prudence?

user: The physiotherapist wants me to do the shoulder exercise twice a day. // Twice a day, noted. For how many weeks?
How often do I have to do the shoulder exercise?
What did the dermatologist prescribe for the rash?
How often do I have to take the antibiotics?

The tenancy of the allotment costs 60 a year, plot 17, by the canal.
What is the number of our allotment?
When is the beekeepers' club meeting?
What is the number of the beach hut?

I am reading Middlemarch, and got as far as chapter 20.
How far did I get in Middlemarch?
Which crime series did we watch at Christmas?
How far did I get in Ulysses?

user: The insurer pays 70 percent of the broken window. // So the rest, 30 percent, is for you.
How much of the window does the insurance pay?
How large was the inheritance from Uncle Walter?
How much of the hearing aid does the insurance pay?

The choir rehearses on Thursdays in St Anne's hall.
When does the choir rehearse?
At what time does the judo lesson begin?
When does the brass band rehearse?

The recycling lorry comes on alternate Wednesdays, glass goes to the bank by the station.
Where do I take the glass?
Who sweeps the chimney?
Where do I take the old paint?

My laptop is a ThinkPad X1 with 32 GB of memory.
How much memory does my laptop have?
Which graphics card did I order?
How much memory does the tablet have?

user: I told Karim that I would pick up his parcel on Monday. // I can remind you on Monday morning.
What did I promise Karim?
What did I lend to Bridget?
What did I promise Svetlana?

Dad's birthday is on 2 November, he wants no more ties.
When is Dad's birthday?
When did Great-grandfather emigrate?
When is Gregory's birthday?

The staging server is staging.larkfield.example, log in with the key of the team.
How do I log in to staging?
Which firewall rule blocks the telephone exchange?
How do I log in to the payroll system?

user: The vet says the rabbit has to lose weight, hay only until April. // Hay only until April, understood.
What is the rabbit allowed to eat?
How much does the kennel charge for a weekend?
What is the tortoise allowed to eat?

In Lisbon we stayed at the Pensão Alegria, room 12 has the balcony.
Which room at the Pensão Alegria has a balcony?
In which hostel did we sleep in Reykjavik?
Which room at the Hotel Esplanade has a bath?

I earn 3,400 a month after tax since the rise in January.
What do I earn after tax?
How many shares of the brewery do I own?
What does Winifred earn after tax?

user: My running shoes are worn out, size 43 wide was right. // I will remember size 43 wide.
Which size of running shoes fits me?
What length were the skis that I rented?
Which size of ski boots fits Dominic?

Emma starts at the nursery on 4 January, the settling-in lasts two weeks.
How long is the settling-in at the nursery?
Which university did Laurence get into?
How long is the apprenticeship at the bakery?

The hall is painted in Skimming Stone, two tins were enough.
In what colour is the hall painted?
Who upholstered the armchair?
In what colour is the garage painted?

user: The interview at Novabank went well, they call back within ten days. // Good! Then you hear by the 19th.
By when will Novabank call back?
What did the recruiter of the airline offer?
By when will Telford Partners call back?

The bread starter lives in the fridge and is fed every Saturday with rye.
What is the bread starter fed with?
How long must the sauerkraut ferment?
What are the goldfish fed with?

Neighbourhood watch: call PC Hughes on extension 214.
Whom do I call at the neighbourhood watch?
What did the solicitor advise about the fence?
Whom do I call at the embassy?

user: I weigh 78 kilos now, four less than in spring. // A steady loss of about a kilo a month.
How much do I weigh?
What was my cholesterol at the last blood test?
How much does Ulrich weigh?

We agreed with marketing that the launch is on 12 May.
On what date is the launch?
Who pays for the stand at the trade fair?
On what date is the eclipse?

The heating is set to 19 by day and 16 by night.
To how many degrees is the heating set at night?
How many panels are on the solar roof?
To how many degrees is the sauna set?

user: The train to Leeds was cancelled, I want the refund of 48 pounds. // You can claim it until the end of the month.
How much is the refund for the train to Leeds?
Where do we catch the coach to Inverness?
How much is the refund for the opera?

The violin teacher is Ms Brandt, lessons cost 35 each.
How much is a violin lesson?
Who is the goalkeeper of our team?
How much is a riding lesson?

My blood group is O negative.
What blood group do I have?
Which vaccination do I need for Kenya?
What blood group does Cedric have?

user: The roof of the shed leaks above the workbench, I put a bucket there. // Shall I put the roof on your list?
Where does the shed leak?
What wood is the pergola made of?
Where does the aquarium leak?

Alice moved to Toronto in 2021 with her two boys.
To which city did Alice move?
Why did Geraldine leave the convent?
To which city did Thaddeus move?

The standing order for the charity is 15 a month, to Water for All.
How much do I give to charity each month?
What is the fine for the parking ticket?
How much do I pay the gym each month?

user: We test with pytest now, unittest is gone from the repository. // Noted, pytest only.
With what do we run our tests?
Who maintains the Fortran library?
With what do we measure the latency?

The piano was sold to the Lindqvists for 600.
Who bought the piano?
Who inherited the grandfather clock?
Who bought the harpsichord?

The camera takes NP-W126 batteries, two spare ones are in the grey bag.
Which batteries does the camera take?
How do I reset the thermostat?
Which batteries does the metal detector take?

user: Our table at the Golden Hind is for seven at half past eight. // Seven people at 20:30, noted.
For how many people is the table at the Golden Hind?
Who brings the tent to the festival?
For how many people is the table at the Blue Lantern?

The new chair arrives between the 8th and the 12th, order 55120.
When does the chair arrive?
In which colour did we order the curtains?
When does the mattress arrive?

I promised the children a treehouse by summer.
What did I promise the children?
What is the puppy's favourite toy?
What did I promise the vicar?

user: I stopped eating meat in 2016, fish is fine. // Then I will suggest fish or vegetables.
Do I eat meat?
Which wine goes with the venison?
Does Rosalind eat seafood?

The museum card covers both of us and ends in April.
When does the museum card end?
Where did we buy the tapestry?
When does the railcard end?

Rehearsal notes: the second act starts with the storm, lights down to a third.
With what does the second act start?
Who conducts the orchestra on tour?
With what does the symphony start?
"""


@dataclass(frozen=True)
class Case:
    """One text of a memory, a question that it answers, and two that nothing in the memory answers."""

    text: str
    answered: str
    near: str
    other: str

    @property
    def kind(self) -> str:
        return "exchange" if self.text.startswith("user: ") else "fact"


def cases(written: str) -> tuple[Case, ...]:
    return tuple(_case(*block.split("\n")) for block in written.strip().split("\n\n"))


def _case(text: str, answered: str, near: str, other: str) -> Case:
    return Case(text.replace(" // ", "\nassistant: "), answered, near, other)


CASES = {"English": cases(ENGLISH), "French": cases(FRENCH)}
