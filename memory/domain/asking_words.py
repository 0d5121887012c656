"""Words that say what is wanted of a subject, and not which subject: left out where a question is weighed.

English and French, folded. They are searched as any other word is; a row that lacks them lacks nothing that was asked
for. Measured: bench/README.md, abstention.
"""

from __future__ import annotations

from functools import cache

from memory.domain.words import stem

#: What kind of thing is asked for.
THINGS = """
much many old long often far big large tall high wide heavy deep number name names called call kind type sort size color
colour place way reason must age get got know happen happened event thing things something anything someone involve
involved regarding use used using
combien faut numero nom type sorte genre taille couleur lieu endroit facon maniere raison age appelle appelles appeler
doit dois avons ont peut
"""
#: When it was: rows keep their time beside their words.
TIMES = """
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec monday tuesday wednesday thursday friday saturday sunday day days date dates week weeks month months
year years today yesterday tomorrow time times last next ago recent recently early late mid
janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi
samedi dimanche jour jours semaine semaines mois an ans annee annees hier demain aujourd hui dernier derniere prochain
prochaine heure
"""
#: That it was said.
SAYINGS = """
mention mentioned mentions say said says tell told talk talked discuss discussed conversation conversations chat list
listed order ordering brought bring summary summarize summarise summarized remind walk item items aspect aspects
different throughout across only five know question answer
dit parle raconte discute mentionne conversation liste resume rappelle rappeler question reponse
"""
#: Verbs that go with any subject, in all their forms.
VERBS = """
work live go goes went gone come came take took taken make made give gave given put buy bought pay paid sell sold eat
ate drink like want need reach send sent keep kept start starts begin began end finish stop find found see saw seen
think thought feel felt let leave left look move cost set meet met help try tried hold held show shown choose chose
become became allow fit
travailler habiter vivre aller va vais vient venir prendre prend pris prends faire fait mettre mis donner acheter vendre
vendu payer manger boire aimer vouloir devoir pouvoir falloir joindre envoyer commencer finir trouver voir vu utiliser
penser laisser partir parti part arriver rencontrer aider essayer tenir choisir devenir
"""
TIME_WORDS = frozenset(TIMES.split())
WORDS = frozenset((*THINGS.split(), *SAYINGS.split())) | TIME_WORDS


@cache
def verbs() -> frozenset[str]:
    return frozenset(map(stem, VERBS.split()))


def asks(word: str) -> bool:
    return word in WORDS or stem(word) in verbs()
