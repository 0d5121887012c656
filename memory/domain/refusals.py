"""Replies in which a model says, in its own words, that it knows nothing or will not answer. English and French.

A careful rule: every clause of the reply must refuse, apologise, or offer help and ask for more. One clause that says
anything else makes it an answer, so that what is caught has nothing in it to lose. Some refusals pass;
bench/refusals.py counts them.
"""

from __future__ import annotations

import re

#: A longer reply says something.
LONGEST = 700

_STRAIGHT = str.maketrans({"’": "'", "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "*": "", "_": ""})
_TURNS = "but|however|though|although|so|mais|cependant|toutefois|donc|en revanche"
_CLAUSES = re.compile(rf"(?<=[.!?…])\s+|\s*[\n;:]\s*|,?\s+(?:{_TURNS})\s*,?\s+")
#: What takes back the whole of a “nothing”; and a quotation, which is somebody else's word.
_SAVE = re.compile(
    r"\b(?:beyond|except|other than|apart from|besides|only that|hormis|sauf|à part|en dehors|outre)\b|[“”«»\"]"
)

_KNOWN = (
    "information|info|data|details?|records?|memor(?:y|ies)|knowledge|context|access|mention|entr(?:y|ies)|notes?"
    "|recollection|answer|ability|capability|means|way|idea|feelings|opinions|experiences"
)
_SU = (
    "informations?|infos?|données?|détails?|traces?|souvenirs?|connaissances?|contexte|accès|mentions?|entrées?"
    "|notes?|réponses?|idée|moyens?|possibilité|capacité|éléments?|précisions?|opinions?|sentiments?"
)
_DO = (
    "help(?: you)?(?: with (?:that|this|your|any).*)?$|assist|answer|respond|provide|access|fulfil|comply|determine"
    "|browse|disclose|discuss that|do (?:that|this)$|share (?:that|this|personal|any|your)|recall|remember|verify"
    "|find (?:any|that|the answer|it|anything)|tell you|give you (?:that|this|any|an answer|advice)|retrieve|know"
    "|see (?:any|the (?:image|file|picture)|your)|confirm|look (?:that|this|it) up"
)
_FAIRE = (
    "(?:donc )?(?:vous |t'|te )?(?:aider|répondre|fournir|dire|donner|renseigner|communiquer)|accéder|partager"
    "|déterminer|consulter|vérifier|trouver|satisfaire|effectuer|savoir|retrouver|faire (?:cela|ça)"
)
_MINE = "my|the provided|the given|our|your"
_KEPT = "memory|context|notes|records|conversation|information|knowledge(?: base)?|training data|text"
_CANNOT = "can ?not|can't|could not|couldn't|am unable to|'m unable to|was unable to|am not able to|wasn't able to"
_AN_AI = "ai|artificial intelligence|(?:large )?language model"

#: How a refusal begins, as often as it likes.
_LEADS = (
    r"(?:hmm|oh|well|ah)\W+",
    r"(?:i'm|i am) (?:very |really |so |truly )?(?:sorry|afraid)\W*(?:that )?",
    r"(?:sorry|apologies|i apologi[sz]e|unfortunately|regrettably)\W+",
    r"je suis (?:vraiment |sincèrement )?(?:désolée?|navrée?)\W*",
    r"(?:désolée?|navrée?|pardon|excusez-moi|malheureusement|je regrette)\W+",
    r"as an? (?:ai|artificial|(?:large )?language|virtual|text-based)[^,]{0,60},\s*",
    r"en tant qu(?:'|e )(?:ia|intelligence|modèle|assistante? (?:virtuel|ia)|assistant)[^,]{0,50},\s*",
)
_REFUSALS = (
    r"i (?:do not|don't|did not|didn't)(?: \w+){0,2} (?:have|possess|hold|retain|see|find)"
    rf"(?: \w+){{0,5}}? (?:{_KNOWN})\b",
    r"i (?:do not|don't) (?:have|possess|know)(?: that| this| it)?$",
    r"i (?:do not|don't) (?:actually |really )?know (?:that|the answer|your|anything|about|which|enough)\b",
    r"i (?:do not|don't) (?:actually |really )?know (?:who you|what you|if you|where you|when you)\b",
    r"i (?:do not|don't|can't|cannot) (?:actually |really )?(?:remember|recall) "
    "(?:any|that|you|our|your|this|previous|what)",
    rf"i(?:'m| )?(?:{_CANNOT}) (?:really |currently |directly )?(?:{_DO})",
    rf"i'm (?:unable|not able|not allowed|not permitted) to (?:{_DO})",
    r"i'm not (?:sure|certain) (?:what you|i understand|how to (?:answer|help)|about that)",
    rf"i(?: have|'ve|'ve got| have got) (?:no|not enough|insufficient)(?: \w+){{0,2}} (?:{_KNOWN})\b",
    rf"i (?:lack|am lacking) (?:\w+ ){{0,2}}(?:{_KNOWN})",
    r"i (?:must|have to) decline",
    r"i(?:'d| would) rather not (?:say|answer)",
    rf"there(?: is|'s| are) (?:no|not enough|nothing)\b.*\b(?:in|within|from) (?:(?:{_MINE}) )?(?:{_KEPT})\b",
    rf"(?:{_MINE}) (?:{_KEPT}) (?:does not|doesn't|do not|don't|did not|didn't|has no|holds no|contains no)\b",
    r"memory (?:has|holds|contains) nothing",
    r"nothing in (?:my )?memory",
    rf"(?:that|this|the requested|your) (?:{_KNOWN}|question|request) (?:is not|isn't|cannot|can't|could not) "
    "(?:be )?(?:available|answered|provided|known|accessible|in my)",
    rf"no (?:{_KNOWN}) (?:is|are|was|were) (?:available|found|provided|given) (?:about|on|for|regarding|here)\b",
    r"it(?: is|'s) (?:not possible|impossible) for me to",
    rf"(?:i'm|i am) (?:just |only )?an? (?:{_AN_AI})\b.*\b(?:don't|do not|can't|cannot|no)\b",
    # French
    r"je ne sais pas(?: (?:(?:quoi )?répondre|la réponse|(?:qui|ce que|où|si) vous|de quoi|à quoi|cela).*)?$",
    r"je ne (?:connais|sais) (?:pas|rien)(?: de| sur| à)? (?:la réponse|votre|vos|ce sujet|cette)\b",
    rf"je n'ai (?:\w+ )?(?:pas|aucune?)(?: \w+){{0,3}}? ?(?:d'|de |l')?(?:{_SU})\b",
    r"je n'ai (?:\w+ )?pas (?:bien )?compris",
    r"je ne comprends pas (?:la|votre|ce|bien)",
    rf"je ne (?:peux|puis|pourrai|saurais) (?:\w+ )?pas (?:{_FAIRE})",
    r"je ne suis (?:\w+ )?pas (?:en mesure|capable|en capacité|autorisée?) (?:de |d')",
    r"je suis (?:incapable|dans l'(?:incapacité|impossibilité)) de",
    r"je ne (?:dispose|possède|détiens|trouve|vois) (?:\w+ )?(?:pas|aucune?)"
    rf"(?: \w+){{0,2}} ?(?:d'|de |l')?(?:{_SU})\b",
    rf"je ne parviens (?:\w+ )?pas à (?:{_FAIRE})",
    r"je ne me (?:souviens|rappelle) (?:pas|plus)(?: (?:de|d'|du|avoir|que vous|cela|ça|votre)|$)",
    r"il n'y a (?:pas|aucune?|rien)\b.*\bdans (?:ma|la|mes|les|votre|notre|nos|le) "
    "(?:mémoire|notes|contexte|données|conversation|échanges?)",
    r"(?:ma|la) mémoire ne (?:contient|mentionne|dit|comporte|retient)",
    rf"aucune? (?:{_SU}) (?:disponible|trouvée?|fournie?|enregistrée?|sur|à ce sujet)",
    r"rien (?:dans|en) (?:ma |la )?mémoire",
    r"cette (?:information|question|donnée) (?:n'est pas|ne figure pas|ne peut pas)",
    r"il (?:m'est|ne m'est pas|est) (?:impossible|possible) (?:pour moi )?de (?:savoir|répondre|dire|vous|déterminer)",
)
#: What may stand beside it: an apology, an offer, a question back, what the model is.
_BESIDE = (
    r"$|(?:i'm |i am )?(?:so |very )?sorry\b.{0,60}$|apologies|i apologi[sz]e|thank you|thanks",
    r"(?:could|can|would|will|may|might) you\b|please\b|if you\b|let me know|feel free|don't hesitate",
    r"is there (?:anything|something)|how (?:can|may) i|what (?:would you like|else)|would you like|do you want",
    r"(?:i'd|i would|i'll|i will) (?:be (?:happy|glad)|need|try|love)",
    r"i can (?:only )?(?:help|assist|try|keep|save|remember)|i (?:recommend|suggest|encourage|advise)\b",
    r"you (?:may|might|can|could|should) (?:want to |wish to |try to )?"
    "(?:check|consult|contact|try|refer|tell|share|provide|ask|look|save|rephrase|give)",
    rf"(?:i'm|i am) (?:here|designed|(?:just |only )?an? (?:{_AN_AI}))\b",
    r"pourriez|pouvez-vous|peux-tu|pourrais-tu|veuillez|merci|n'hésite|si (?:vous|tu)\b|puis-je|comment puis-je",
    r"souhaite[zs]|voulez-vous|veux-tu|je vous (?:recommande|conseille|invite|suggère|prie)|je peux (?:vous|t')",
    r"dites-moi|dis-moi|précise[zr]?\b|donne[zr]?-moi|y a-t-il|toutes mes excuses|je m'excuse|avez-vous|as-tu",
    r"je (?:ne )?suis (?:qu')?une? (?:ia|assistante?|modèle|intelligence)",
)
_LEAD = f"(?:{'|'.join(_LEADS)})*"
_REFUSES, _ASIDE = (re.compile(f"{_LEAD}(?:{'|'.join(forms)})") for forms in (_REFUSALS, _BESIDE))


def is_refusal(reply: str) -> bool:
    """Does every clause of it refuse, apologise or ask, and one at least refuse?"""
    if not reply.strip() or len(reply) > LONGEST:
        return False
    plain = reply.strip().translate(_STRAIGHT).lower()
    if _SAVE.search(plain):
        return False
    clauses = [clause.rstrip(" .!?…") for clause in _CLAUSES.split(plain) if clause.strip(" .!?…,-")]
    refuses = [_REFUSES.match(clause) is not None for clause in clauses]
    return any(refuses) and all(
        refused or _ASIDE.match(clause) for refused, clause in zip(refuses, clauses, strict=True)
    )
