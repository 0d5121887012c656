"""How words name a moment together, and what only looks like one: code, quotations, habits, lengths of time."""

from __future__ import annotations

import re
from collections.abc import Collection

from memory.domain.ask_patterns import ASIDE
from memory.domain.moment_words import DAYS, FOLD, LENGTHS, MONTHS, SHORT_MONTHS, SMALL, TENS, UNITS, WEEKDAYS
from memory.domain.questions import VEIL

#: A part of the day, after the day: none of its own moments, but it says which half of the clock is meant.
PART = (
    "(?: (?:in the |du |de l'|de la |por la |am )?(?:early |late )?"
    "(?:morning|afternoon|evening|night|matin|apres-midi|aprem|soir|nuit"
    "|fruh|vormittag|nachmittag|abend|nacht|morgen|manana|tarde|noche))?"
)
YEAR = r"(?P<y>(?:19|20|21)\d\d)"
DAY = r"(?P<d>0?[1-9]|[12]\d|3[01]|first|premier)(?:st|nd|rd|th|er|\.)?"
NUMBER = r"(?:\d{1,3}|<tens>(?:_(?:et )?<small>)?|<small>)"
LENGTH = f"(?:(?P<length><lengths>)|(?P<n>{NUMBER}) ?(?P<u><units>))"
COUNT = f"{NUMBER} ?<units>"
ON = "(?:(?:on|by|before|until|till|since|le|du|au|des|avant le|am|vom|zum|el|del) )?"
DETERMINED = "(?:the|my|your|his|her|our|their|its|each|every|per|one|any)"

#: How a phrase is read (moment_reading.py), and how it stands in a text. A space is any white space.
PHRASES: tuple[tuple[str, str], ...] = (
    ("days", f"(?P<day><days>){PART}"),
    ("later", rf"in {LENGTH}(?:'s?)?(?: time)?(?! (?:or|to|of|after|before|later|ago|flat|at (?:most|least))\b)"),
    ("later", f"{LENGTH} from (?:now|today)"),
    ("later", rf"(?:dans|d'ici|dentro de) {LENGTH}(?! (?:ou|a|de|d'|o)\b)"),
    ("ago", rf"{LENGTH} ago"),
    ("ago", rf"(?:il )?y a {LENGTH} de (?:cela|ca)"),
    ("ago", rf"(?:il )?y a {LENGTH}(?! (?:de|dans|entre|par|pour|sans|a pied|en (?:une?|<months>))\b| d')"),
    ("ago", rf"(?:vor|hace) {LENGTH}(?! que\b)"),
    ("period", r"(?P<side>this|next|last) (?P<period>week|month|year)(?! of\b)"),
    ("period", "the (?P<period>week|month|year) (?P<side>after next|before last)"),
    ("period", r"(?:la |le |l')?(?P<period>semaine|mois|annee|an) (?P<side>prochaine?|derniere?|passee?|qui vient)"),
    ("period", "(?P<side>cette|ce) (?P<period>semaine|mois|annee)(?:-ci)?"),
    ("period", "(?P<side>(?:nachste|kommende|letzte|vorige|vergangene|diese)[nrsm]?) (?P<period>woche|monat|jahr)"),
    ("period", "(?:la|el) (?P<period>semana|mes|ano) (?P<side>que viene|proxim[oa]|pasad[oa])"),
    ("period", "(?P<side>este|esta|(?:proxim|pasad)[oa]) (?P<period>semana|mes|ano)"),
    ("weekend", "(?P<side>this|last|ce|este) (?:week-?end|fin de semana)"),
    ("weekend", "(?:le )?week-?end (?P<side>prochain|dernier|passe)"),
    ("weekday", f"{ON}(?:(?P<side>this coming|this past|this|next|last) )?(?P<w><weekdays>){PART}"),
    ("weekday", f"(?P<side>ce|este|el proximo|el pasado) (?P<w><weekdays>){PART}"),
    ("weekday", f"(?P<side>(?:nachste|kommende|letzte|vorige|vergangene|diese)[nr]?) (?P<w><weekdays>){PART}"),
    ("weekday", f"(?:le |el )?(?P<w><weekdays>) (?P<side>prochain|dernier|passe|qui vient){PART}"),
    ("weekday", f"(?:the |el )?(?P<w><weekdays>) (?P<side>after next|que viene|proximo|pasado){PART}"),
    ("in eight", f"(?:le )?(?P<w><weekdays>) en (?P<n>huit|8|quinze|15){PART}"),
    ("of week", f"{ON}(?P<w><weekdays>){PART}(?: of| in)? (?P<side>this|next|last) week"),
    ("of week", f"(?P<side>this|next|last) week,?(?: on)? (?P<w><weekdays>){PART}"),
    ("of week", f"(?:le )?(?P<w><weekdays>){PART} (?:de )?la semaine (?P<side>prochaine|derniere|passee)"),
    ("of week", f"(?:le )?(?P<w><weekdays>){PART} (?:de )?(?P<side>cette) semaine"),
    ("of week", f"la semaine (?P<side>prochaine|derniere|passee),?(?: le)? (?P<w><weekdays>){PART}"),
    ("of month", f"(?:(?:on|by) )?(?:the )?{DAY} of (?:the )?(?P<side>this|next|last) month"),
    ("of month", f"(?:le|du|au) {DAY} du mois (?P<side>prochain|dernier)"),
    ("month", r"(?P<side>next|last) (?P<m><months>)(?! \d)"),
    ("month", "(?:en )?(?P<m><months>) (?P<side>prochain|dernier|passe|proximo|pasado)"),
    ("month", "(?P<side>nachste[nr]|letzte[nr]|vorige[nr]) (?P<m><months>)"),
    ("month", f"(?:in |en |im )?(?P<m><months>),? (?:del? )?{YEAR}"),
    ("month", r"(?:(?:in|by|en|avant|d'ici|debut|fin|im|bis) |mi_)(?P<m><months>)(?! \d)"),
    (
        "date",
        f"{ON}(?:<weekdays>,? )?(?:(?:the|den|le|el) )?{DAY} (?:of |de )?(?P<m><short>)\\b(?:[.,]? (?:del? )?{YEAR})?",
    ),
    ("date", rf"{ON}(?:<weekdays>,? )?(?P<m><short>)\.? (?:the )?{DAY}(?:,? {YEAR})?"),
    ("date", rf"{ON}{YEAR}(?P<sep>[-/])(?P<mm>\d\d?)(?P=sep)(?P<d>\d\d?)"),
    ("numeric", rf"(?P<on>{ON}(?:<weekdays>,? )?)(?P<d>\d\d?)(?P<sep>[/.])(?P<mm>\d\d?)(?P=sep){YEAR}"),
    ("stamp", r"(?P<stamp>(?:19|20|21)\d\d-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:\d\d)?)"),
    (
        "falls on",
        rf"{ON}(?P<w><weekdays>),? (?:the |le |den )?{DAY}(?! ?(?:am|pm|a\.m|p\.m|h|heures?|uhr|o'clock|:)\b|:)",
    ),
    # A moment, but it takes more than these words to tell which.
    (
        "vague",
        rf"{COUNT} (?:after|before|from|following|prior to|apres|avant|nach|vor) (?:<days>|(?:next |last )?<weekdays>)",
    ),
    (
        "vague",
        rf"(?:more than|less than|over|under|almost|nearly|at least|{NUMBER} (?:or|to|and)|<units> and) {COUNT} ago",
    ),
    ("vague", rf"{NUMBER} ?[-–] ?{COUNT} ago"),
    ("vague", rf"(?:{COUNT}|<lengths>) ago (?:today|yesterday|tomorrow|next|last|on|<weekdays>)\b"),
    ("vague", rf"(?:dans|d'ici|in|y a|vor|hace) {COUNT} (?:and|et|und|y) (?:a half|demie?|medi[oa]|{COUNT})"),
    ("vague", rf"\d\d?\w{{0,2}} ?(?:-|–|to|au|and|et|or|ou|bis|und|al|y) ?{DAY} (?:of |de )?<short>(?: {YEAR})?"),
    ("vague", "(?:day|night|morning|evening|week) (?:after|before) (?:(?:next|last|this) )?<weekdays>"),
    ("vague", "<weekdays> (?:suivant|precedent|d'apres|d'avant)|(?:lendemain|veille) (?:du|de) <weekdays>"),
    ("vague", f"(?:lendemain|veille) du {DAY} <months>(?: {YEAR})?"),
    ("vague", "<weekdays> week|(?:black|good|ash|cyber|palm|easter|shrove) <weekdays>|next weekend"),
    ("vague", "(?:lundi|vendredi|jeudi|mercredi|mardi|dimanche) (?:de paques|de pentecote|saint|des cendres|gras)"),
)

PAST = (
    r"(?:\w{2,}ed|did|made|ran|read|wrote|built|took|got|went|came|won|lost|sold|grew|rose|fell|ate|drank|drove|rode|flew"
    r"|swam|slept|spent|paid|hit|beat|broke|became|learnt|taught|done|had|saw)"
)
#: What looks like a moment and is none: habits, lengths of time, idioms.
IDLE: tuple[str, ...] = (
    rf"(?:every|each|any|most|one|some|chaque|un|jeden|jede|cada) (?:other |second )?(?:<weekdays>|<months>){PART}",
    rf"an? (?=\w+day\b)<weekdays>{PART}",  # “à mardi” is another thing
    r"le <weekdays>(?! (?:\d|prochain|dernier|passe|qui vient|en (?:huit|quinze)|(?:de )?la semaine))",
    r"<weekdays> (?:morning|afternoon|evening|night)s",
    rf"{DETERMINED} (?:very )?(?:last|next|past|coming|first) (?:night|week|month|year|<weekdays>|<months>)",
    r"(?:last|next|first|second|third|fourth) (?:<weekdays>|night|week|month|year) of\b",
    r"une? (?:semaine|an|annee|mois) passee?",
    # “Finished in two days” lasted two days; “is finished in two days” will be.
    rf"(?<!is\s)(?<!are\s)(?<!be\s)(?<!'s\s)(?<!get\s)(?<!gets\s)\b{PAST}(?: [^\s.!?;]+){{0,4}} in {COUNT}",
    rf"\bcan(?:'t|not)?(?: [^\s.!?;]+){{1,5}} in {COUNT}",
    rf"(?:once|twice|times?|only|all|done|seconds|<units>) in {COUNT}",
    r"\d\d? may (?:be|not|also|only|have|need|take|use|contain|cause|fail|still|well)\b",
    r"in a (?:day|min|minute)|dans une minute",
    rf"(?:il )?y a {COUNT} dans {COUNT}",
    r"born yesterday|no tomorrow|tomorrow never dies|(?:better|brighter) tomorrow|usa today",
    r"demain la veille|pas d'hier|nee? d'hier|monde (?:de demain|d'aujourd'hui|d'hier)",
    r"(?:am|jeden|guten|schonen|der|den|diesen) morgen|(?:la|cada|una|buena) manana|hoy en dia",
)
ADDRESS = re.compile(r"[a-z][a-z+.-]*://\S+|www\.\S+|\S+@\S+")
#: Where `hier` is no French word.
HERE = re.compile(
    r"\b(?:der|das|ist|und|ich|nicht|wir|eine|einen|mit|auf|steht|sind|von|dem|zum|zur|auch|gibt|liegt|wohne|bin|habe"
    r"|het|een|niet|ik|staat|woon|wij|ligt|deze|zijn)\b"
)

TABLES: dict[str, Collection[str]] = {
    "days": DAYS,
    "small": SMALL,
    "tens": TENS,
    "units": UNITS,
    "lengths": LENGTHS,
    "weekdays": WEEKDAYS,
    "months": MONTHS,
    "short": SHORT_MONTHS,
}
#: Whole words only; nothing of a name, a path or code.
BEGIN = r"(?<![\w/\\@#$=+-])(?<!\w[.,:])"
END = r"(?![\w/\\@=(]|[.:-]\w|,\d)"


def compiled(template: str, begin: str = BEGIN) -> re.Pattern[str]:
    """A phrase as a pattern: the words of a table for `<table>`, white space for a space, or a hyphen for `_`."""
    filled = re.sub(r"(?<!P)<(\w+)>", lambda match: _either(TABLES[match.group(1)]), template)
    spaced = filled.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}").replace("_", r"[\s-]{1,3}")
    return re.compile(f"{begin}(?:{spaced}){END}")


def _either(words: Collection[str]) -> str:
    longest_first = sorted((word.replace(" ", "_") for word in words), key=len, reverse=True)
    return f"(?:{'|'.join(longest_first)})"


_PHRASES = [(kind, compiled(template)) for kind, template in PHRASES]
_IDLE = compiled("|".join(IDLE))


def bare(text: str) -> str:
    """The text folded, with what names no moment covered; each character in its place."""
    covered = _cover(ADDRESS, _cover(ASIDE, text).translate(FOLD))
    if HERE.search(covered):
        covered = covered.replace("hier", VEIL * 4)
    return _cover(_IDLE, covered)


def _cover(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: VEIL * len(match.group()), text)


def phrases(text: str) -> list[tuple[str, re.Match[str]]]:
    """The phrases of a bare text in order, each with how it is read; where two overlap, the longer one."""
    every = [(kind, match) for kind, pattern in _PHRASES for match in pattern.finditer(text)]
    every.sort(key=lambda one: one[1].start() - one[1].end())
    taken = bytearray(len(text))
    kept: list[tuple[str, re.Match[str]]] = []
    for kind, match in every:
        start, end = match.span()
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            kept.append((kind, match))
    return sorted(kept, key=lambda one: one[1].start())
