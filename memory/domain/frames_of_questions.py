"""What a question says to whom it asks, and not of what it asks: “do you remember …”, “est-ce que tu peux me dire …”.

In English, French, German and Spanish, at either end of the question. Frames are told on folded letters, and cut from
the text as it was written.
"""

from __future__ import annotations

import re
import unicodedata

from memory.domain.moment_words import FOLD

GREETING = (
    r"(?:(?:hi|hey|hello|ok|okay|so|well|please|bonjour|salut|coucou|alors|dis|au fait|hallo|hola|bitte|forge)\b)+"
)
TO_TELL = "(?:me |nous )?(?:re)?(?:dire|rappeler|donner|trouver|montrer)"
LEADING = [
    GREETING,
    # English
    r"(?:do|can|would|could) you (?:still |also |by chance |happen to |perhaps )*"
    r"(?:remember|recall|know|remind me|tell me|show me|find|look up|give me|say)\b",
    r"(?:you|tu|vous) (?:still )?(?:know|remember|recall)\b",
    r"(?:please )?(?:tell|remind|show|give) me(?: again)?\b",
    r"what (?:do|did) (?:you|we|i) (?:know|remember|have|say|tell you|write|note|save) (?:about|of|on)\b",
    r"what (?:you|we) (?:know|remember|have) (?:about|of|on)\b",
    r"(?:have|did) i (?:ever |already )?(?:tell|told|mention|mentioned|say|said|write|written)(?: to)?(?: you)?\b",
    r"is there (?:anything|something)(?: in (?:your |my )?memory)? (?:about|on)\b",
    r"i(?:'d| would) (?:like|love) (?:to know|you to tell me)\b|i (?:want|need) to know\b",
    r"i(?:'m| am| was) (?:just )?(?:wondering|asking myself)\b|(?:any|do you have an) idea\b",
    # French
    rf"est[- ]ce que (?:tu|vous) (?:peux|pouvez|pourrais|pourriez) {TO_TELL}\b",
    r"(?:est[- ]ce que )?(?:tu|vous) (?:te |vous |t'en )?(?:souviens|souvenez|rappelles|rappelez|sais|savez)\b",
    r"(?:te |vous )?(?:souviens|rappelles|sais)[- ]tu\b|(?:vous )?(?:souvenez|rappelez|savez)[- ]vous\b",
    rf"(?:peux|pourrais)[- ]tu {TO_TELL}\b",
    rf"(?:pouvez|pourriez)[- ]vous {TO_TELL}\b",
    r"(?:dis|redis|rappelle|donne|montre)[- ]moi\b|(?:dites|rappelez|donnez|montrez)[- ]moi\b",
    r"j'aimerais (?:bien )?(?:savoir|que tu me dises)\b|je (?:voudrais|veux) (?:bien )?savoir\b",
    r"je me (?:demande|demandais)\b|(?:tu as|as[- ]tu|une) (?:une )?idee\b",
    r"qu'est[- ]ce que (?:je t'ai|j'ai|tu sais|on a) (?:dit|ecrit|note|retenu)?\b",
    r"que (?:sais|retiens)[- ]tu\b|(?:t'ai[- ]je|est[- ]ce que je t'ai) (?:deja )?(?:dit|parle)\b",
    # German
    r"(?:erinnerst du dich|wei(?:ss|ß)t du)(?: noch)?\b",
    r"(?:kannst|konntest) du mir (?:bitte )?(?:noch )?(?:mal )?(?:sagen)?\b",
    r"sag mir\b|ich (?:wurde|mochte) (?:gerne? )?wissen\b",
    # Spanish
    r"(?:te acuerdas|recuerdas|sabes)\b|(?:me )?(?:puedes|podrias) (?:decirme|recordarme|decir|recordar)\b|dime\b",
    r"(?:quisiera|me gustaria) saber\b",
]
#: What joins a frame to what is asked. A word that asks (where, quand) stays.
JOINING = (
    r"(?:(?:that|if|whether|about|of|to you|again|please|que|qu'|si|encore|deja|de la|de|des|du|d'|sur|"
    r"s'il te plait|s'il vous plait|stp|svp|an|daran|dass|ob|bitte|noch|de que)(?:\b|(?<=')))"
)
TRAILING = [
    r"(?:please|again|for me|thanks|thank you|if you (?:remember|know|can)|do you (?:remember|know|recall))",
    r"(?:s'il te plait|s'il vous plait|stp|svp|merci|deja|si tu (?:sais|t'en souviens|te souviens)|"
    r"tu te (?:souviens|rappelles)|tu sais)",
    r"(?:bitte|danke|wei(?:ss|ß)t du(?: noch)?|por favor|gracias)",
]
GAP = r"[\s,;:.!¿¡…–-]*"
FIRST = re.compile(rf"{GAP}(?:{'|'.join(LEADING)})(?:{GAP}{JOINING})*{GAP}")
LAST = re.compile(rf"[\s,;:–-]+(?:{'|'.join(TRAILING)})\s*(?=[?!.？\s]*$)")
WORD = re.compile(r"\w+")
#: A frame may stand in a frame: “hi, can you tell me if you remember …”.
DEEPEST = 4


def without_frame(text: str) -> str:
    """What is asked, as it was written; the whole text where it has no frame, or is nothing else."""
    left = unicodedata.normalize("NFC", text).strip()
    for _again in range(DEEPEST):
        shorter = _shorter(left)
        if shorter == left or not WORD.search(shorter):
            break
        left = shorter
    return left


def _shorter(text: str) -> str:
    lowered = text.translate(FOLD).lower() if len(text.lower()) == len(text) else text.translate(FOLD)
    first = FIRST.match(lowered)
    start = first.end() if first else 0
    last = LAST.search(lowered, start)
    return (text[start : last.start()] + text[last.end() :] if last else text[start:]).strip()
