"""What the words are worth that name moments, in English, French, German and Spanish.

Everything is folded: lower case, no accents, plain apostrophes and spaces. The tables hold the words of all four
languages at once: few mean two things, and a phrase takes several of them.
"""

from __future__ import annotations

import re
import unicodedata

#: Letters without case and accents, apostrophes, hyphens and spaces of one kind: as long as what they stand for.
FOLD = {
    code: base.lower()
    for code in (*range(0x41, 0x5B), *range(0xC0, 0x180))
    if (base := unicodedata.normalize("NFD", chr(code))[0]).isascii()
} | str.maketrans("‘’ʼ‐‑\xa0\u202f", "'''--  ")


def _worth(text: str) -> dict[str, int]:
    """`one un: 1` of each line: word → value. In a word `_` is a space."""
    lines = (line.split(":") for line in text.strip().split("\n"))
    return {word.replace("_", " "): int(value) for words, value in lines for word in words.split()}


def _named(text: str) -> dict[str, int]:
    """Word → number of its line, from 1."""
    lines = enumerate(text.strip().split("\n"), 1)
    return {word.replace("_", " "): line for line, words in lines for word in words.split()}


SMALL = _named("""
a an one un une ein eine einem einer einen una uno
two deux zwei dos
three trois drei tres
four quatre vier cuatro
five cinq funf cinco
six sechs seis
seven sept sieben siete
eight huit acht ocho
nine neuf neun nueve
ten dix zehn diez
eleven onze elf once
twelve douze zwolf doce
thirteen treize dreizehn trece
fourteen quatorze vierzehn catorce
fifteen quinze funfzehn quince
sixteen seize sechzehn dieciseis
seventeen dix_sept siebzehn diecisiete
eighteen dix_huit achtzehn dieciocho
nineteen dix_neuf neunzehn diecinueve
twenty vingt zwanzig veinte
""")
TENS = _worth("""
twenty vingt: 20
thirty trente dreissig treinta: 30
forty quarante vierzig cuarenta: 40
fifty cinquante funfzig cincuenta: 50
sixty soixante sechzig sesenta: 60
seventy siebzig setenta: 70
eighty quatre_vingts quatre_vingt achtzig ochenta: 80
ninety neunzig noventa: 90
""")

WEEKDAYS = _named("""
monday lundi montag lunes
tuesday mardi dienstag martes
wednesday mercredi mittwoch miercoles
thursday jeudi donnerstag jueves
friday vendredi freitag viernes
saturday samedi samstag sonnabend sabado
sunday dimanche sonntag domingo
""")
MONTHS = _named("""
january janvier januar janner enero
february fevrier februar febrero
march mars marz marzo
april avril abril
may mai mayo
june juin juni junio
july juillet juli julio
august aout agosto
september septembre septiembre setiembre
october octobre oktober octubre
november novembre noviembre
december decembre dezember diciembre
""")
#: With a day beside it, a month may be short.
SHORT_MONTHS = MONTHS | _named(
    "jan janv\nfeb fev fevr\nmar\napr avr\nmay\njun\njul juil\naug\nsep sept\noct okt\nnov\ndec dez"
)

UNITS = {
    word: unit
    for unit, words in {
        "minute": "minute minutes min mins minuten minuto minutos",
        "hour": "hour hours hr hrs h heure heures stunde stunden hora horas",
        "day": "day days jour jours tag tage tagen dia dias",
        "week": "week weeks semaine semaines woche wochen semana semanas",
        "month": "month months mois monat monate monaten mes meses",
        "year": "year years an ans annee annees jahr jahre jahren ano anos",
    }.items()
    for word in words.split()
}
#: Lengths with a name of their own. “Dans huit jours” is in a week, “quinze jours” are two.
LENGTHS = {
    "half an hour": (30, "minute"),
    "a half hour": (30, "minute"),
    "a quarter of an hour": (15, "minute"),
    "une demi heure": (30, "minute"),
    "un quart d'heure": (15, "minute"),
    "trois quarts d'heure": (45, "minute"),
    "einer halben stunde": (30, "minute"),
    "media hora": (30, "minute"),
    "a fortnight": (2, "week"),
    "huit jours": (1, "week"),
    "quinze jours": (2, "week"),
    "half a year": (6, "month"),
}

#: Days from the day on which it was said.
DAYS = _worth("""
the_day_before_yesterday day_before_yesterday avant_hier vorgestern anteayer antier antes_de_ayer: -2
yesterday hier gestern ayer last_night la_nuit_derniere letzte_nacht anoche: -1
today tonight this_morning this_afternoon this_evening aujourd'hui ce_matin ce_midi ce_soir cet_aprem: 0
cet_apres_midi cette_apres_midi cette_nuit heute hoy esta_manana esta_tarde esta_noche: 0
tomorrow demain morgen manana: 1
the_day_after_tomorrow day_after_tomorrow apres_demain ubermorgen pasado_manana: 2
""")
#: Which week, month, year, Tuesday or March is meant, counted from the one of the day on which it was said.
SIDES = _worth("""
before_last: -2
last this_past dernier derniere passe passee letzte letzten letzter letztes vorige vorigen voriger voriges: -1
vergangene vergangenen vergangener vergangenes pasado pasada: -1
this ce cette diese diesen dieser dieses diesem este esta: 0
next this_coming prochain prochaine qui_vient nachste nachsten nachster nachstes: 1
kommende kommenden kommender kommendes que_viene proximo proxima: 1
after_next: 2
""")


def number(words: str) -> int:
    """“3”, “three”, “vingt et un”."""
    if words.isdecimal():
        return int(words)
    tens = next((ten for ten in TENS if key(words).startswith(ten)), "")
    small = key(words).removeprefix(tens).strip().removeprefix("et ")
    return TENS.get(tens, 0) + SMALL.get(small, 0)


def key(words: str) -> str:
    """Words of a text as the tables have them."""
    return re.sub(r"[\s-]+", " ", words)
