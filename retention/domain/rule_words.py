"""Closed word lists by which the judge `rules` reads two texts, in English and French, folded."""

from __future__ import annotations

import re

from memory.domain.fold_words import DETERMINERS, HAVE
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.happenings import ENGLISH
from memory.domain.moment_words import FOLD
from memory.domain.negations import NOT
from memory.domain.retelling import listed
from memory.domain.words import stem

#: Patterns are matched on text without case and accents, with plain apostrophes and spaces, as long as the text was.
PLAIN = FOLD

#: What is so from now on, and was otherwise.
CHANGES = re.compile(
    r"""\b(?: no\ longer | any\s?more | from\ now\ on | these\ days | nowadays | by\ now | as\ of\ now
    | instead(?:\ of)?
    | now(?!\ (?:and\ then|that)\b) | since\ (?:the\ move|then|monday|last\ \w+)
    | (?:has|have|'ve|'s|was|were|got|is|are|been|recently|just|further)\ (?:\w+ly\ )?
      (?:moved|changed|switched|rescheduled|postponed|extended|adjusted|updated|increased|decreased|reduced|improved
      |raised|lowered|grown|replaced|renamed|migrated|revised|pushed|bumped|shifted|expanded)
    | actually | scrap\ (?:what|that) | forget\ what\ \w+\ said | changed\ (?:my|our)\ minds? | on\ second\ thoughts?
    | correction | as\ of | no\ more
    | (?:moved|switched|changed|rescheduled|postponed|migrated|raised|lowered|went\ (?:up|down)|grew|rose|fell|dropped
      |improved|increased|decreased|extended|pushed|bumped|shifted|upgraded|cut)\ (?:\S+\ ){0,7}?(?:to|from|into)
    | took\ over | (?:stopped|quit|gave\ up)\ \w+ | left\ .{2,40}\ and\ now | new(?=\ \w+.{0,60}\bis\b)
    | maintenant | desormais | dorenavant | a\ present | a\ partir\ de\ maintenant | au\ lieu\ d\w*
    | plutot\ que | a\ la\ place | (?:a|ai|as|ont|avons|est|sont|ete|passee?s?)\ (?:ete\ )?
      (?:demenage|change|decalee?s?|reportee?s?|deplacee?s?|relevee?|augmentee?s?|baissee?s?|montee?s?|descendue?s?
      |passee?s?|repris|remplacee?s?|quitte|arrete|migree?s?|renommee?s?|etendue?s?|ramenee?s?|portee?s?)
    | finalement | tout\ compte\ fait | en\ fin\ de\ compte | (?:change|changeons)\ d'avis | oublie[sz]?\ ce\ que
    | (?:decale|reporte|deplace|avance|repousse|transfere|ramene|porte)e?s?\ (?:a|au|en|vers)
    | plus\ besoin | plus\ du\ tout | abandonn(?:e|ons|ent|er)
    | depuis\ (?:le\ demenagement|lundi|lors) | nouve(?:au|lle)x?s?(?=\ \w+.{0,60}\best\b) )\b""",
    re.VERBOSE,
)
#: French negates with them where a `ne` stands before: `ne … plus`.
NO_MORE = re.compile(
    r"\b(?:ne\ |n')(?:\S+\ ){0,2}\S*?\s?plus\b(?!\ (?:que|tard|tot))|\bno\ (?:longer|more)\b|\bany\s?more\b"
    r"|\bplus\ (?:besoin|du\ tout)\b"
)
#: The thing itself ended.
STOPPED = re.compile(
    r"\b(?:stopped|quit|gave\ up|given\ up|cancelled|canceled|scrapped|arrete|abandonne(?:nt|e|s)?|annulee?s?)\b"
)
#: It is asked, thought of, told by somebody, or only so in some case: nothing is changed by it yet.
HEDGED = re.compile(
    r"""\b(?: if | whether | unless | might | maybe | perhaps | thinking\ (?:of|about) | considering | would\ like
    | could | wants?\ to | hopes?\ to | wonder\w* | asked | asks | says? | (?<!\bi\ )said | tells | should | ought\ to
    | propos\w+ | suggest\w* | sugger\w+ | a\ dit | according\ to | apparently | rumou?r\w*
    | in\ case | when(?:ever)?
    | si(?!\ (?:bien|tot)) | s'ils? | peut-etre | pense\w*\ a | envisag\w+ | aimerai\w+ | voudr\w+ | devrai\w+
    | pourrai\w+ | faudrait | se\ demand\w+ | demande\ si | selon | d'apres | dit\ que | il\ parait | au\ cas\ ou
    | quand | lorsqu\w+ )\b""",
    re.VERBOSE,
)
#: It tells of a time before, or adds to what is.
LONG_AGO = re.compile(
    r"""\b(?: ago | back\ in | back\ then | in\ those\ days | at\ the\ time | originally | formerly | until
    | used\ to
    | till | before | once\ upon | last\ years? | years?\ before
    | as\ a\ (?:child|boy|girl|kid|student|teenager) | in\ my\ (?:youth|twenties|teens)
    | il\ y\ a | a\ l'epoque | autrefois | jadis | dans\ le\ temps | jusqu'\w* | avant | auparavant | au\ depart
    | a\ l'origine | etant\ (?:enfant|petite?|jeune) | gamine? | quand\ j'etais )\b""",
    re.VERBOSE,
)
ALSO = re.compile(r"\b(?:also|too|as\ well|another|besides|in\ addition|aussi|egalement|en\ plus|un(?:e)?\ autre)\b")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
AND = re.compile(r"\b(?:and|et|or|ou)\b|,\ |&|\+")
#: It stands before all that is told.
AT_FIRST = re.compile(
    r"\s*(?:actually|finalement|en fait|correction|these days|nowadays|from now on|desormais|as of)\b"
)
#: It is a change by itself, and needs no other value to be told by.
MOVED = re.compile(
    r"""\b(?: moved | switched | rescheduled | postponed | pushed | migrated | replaced | renamed | took\ over
    | demenage\w* | decale\w* | reporte\w* | deplace\w* | remplace\w* | repris | passes? )\b""",
    re.VERBOSE,
)
#: Who comes is named before who goes.
TAKING = re.compile(r"took\ over|taken\ over|replaced|succeeded|repris|remplace")
#: Before what gives way to another.
INSTEAD = re.compile(r"\b(?:instead\ of|rather\ than|au\ lieu\ d[eu]|plutot\ que|a\ la\ place\ d[eu])\b")
#: What is denied by it was the value: “in Jira, not in Notion”.
NOT_BUT = re.compile(
    r"""(?:,|;|\band|\bet)\ (?:not|pas|plus)\ (?:(?:in|at|to|on|by|with|for|from|dans|a|au|aux|en|sur|par|avec|chez
    |de)\ )?
    | \b(?:instead\ of|rather\ than|au\ lieu\ d[eu]|plutot\ que|a\ la\ place\ d[eu])\ """,
    re.VERBOSE,
)
#: Never, of what one did.
NEVER = re.compile(r"\b(?:never|jamais)\b")
#: What comes again, or is so at all times.
RECURRING = re.compile(
    r"""\b(?: every | each | weekly | daily | monthly | yearly | annual(?:ly)? | always | usually | often | sometimes
    | (?:once|twice|\w+\ times)\ (?:a|per) | (?:a|per)\ (?:day|week|month|year|hour) | (?:mon|tues|wednes|thurs|fri
    |satur|sun)days | chaque | tous\ les | toutes\ les | toujours | souvent | parfois | d'habitude | d'ordinaire
    | par\ (?:jour|semaine|mois|an|heure) | birthday | anniversar(?:y|ies) | anniversaire | name\ day | holiday
    | by\ default | par\ defaut )\b""",
    re.VERBOSE,
)
#: A time that is behind the text when it is said.
BEHIND = re.compile(r"\b(?:last|ago|yesterday|since|dernier|derniere|hier|depuis|il y a)\b")
#: What is over once the time after it is.
BOUND = re.compile(
    r"""\b(?: until | till | through | valid | expires? | ends? | closes | deadline | due | before | by
    | jusqu'?\s?(?:au|a|en)? | valables? | expirent? | (?:se\ )?terminent? | finit | finissent | date\ limite | echeance
    | avant | d'ici )\b""",
    re.VERBOSE,
)
#: What is still to come when it is said.
PLANNED = re.compile(
    r"""\b(?: will | shall | going\ to | plans?\ to | planning\ to | planned | scheduled | booked | appointment | next
    | tomorrow | tonight | upcoming | this\ (?:weekend|week|month|evening|afternoon)
    | (?:arrives|leaves|comes|starts|begins|takes\ place) | prevue?s? | programmee?s? | fixee?s? | reservee?s?
    | rendez-vous | rdv | demain | prochaine?s? | ce\ (?:soir|week-end|mois(?:-ci)?) | cette\ semaine | comptons?\ \w+er
    | compte\ \w+(?:er|ir|re) | (?:vais|va|allons|allez|vont)\ \w+(?:er|ir|re|oir) | arrive | part | commence
    | (?:ser|aur|fer|ir|viendr|partir|decider|arriver|\w{3,}er|\w{3,}ir)(?:ai|a|ons|ez|ont) )\b""",
    re.VERBOSE,
)
#: Something happened, and stays so. Not what is done to a thing now (`is closed`), nor what is planned.
PASSIVE = listed(
    """
    is are am be been being gets get it's he's she's that's there's they're we're i'm you're est sont suis es sommes
    etes sera seront
    """
)
IRREGULAR = ENGLISH - listed("read put set beat hit cut shut hurt ran left wrote")
IRREGULAR |= listed("was were had did wrote been began born married")
STATES = listed("had was were avait avaient avais etait etaient etais")
#: The same of French, on the text with its accents: `a acheté`, `s'est marié`, `est née`, `habitait`, `Couru 5 km`.
FRENCH_PAST = re.compile(
    r"""\b(?:ai|as|a|avons|avez|ont)\s(?:(?:été|pas|jamais|déjà|bien|tous|tout|encore|toujours|aussi|de\snouveau)\s){0,2}
      (?!mais\b|puis\b|depuis\b)\w+(?:é|ée|és|ées|[rlnvdcspt]u|ue|us|[nlrstcv]i|is|it|ert|int)\b
    | \b(?:s['’]est|se\ssont|me\ssuis|nous\ssommes)\s(?:\w+\s)?\w+(?:é|ée|és|ées|u|ue|us|i|ie|is|it)\b
    | \b(?:est|sont|suis|sommes)\s(?:né|all|ven|part|arriv|mort|décéd|deven|retourn|rest|tomb)(?:é|u|i)?e?s?\b
    | \b(?!mais\b|jamais\b|fait\b|lait\b|parfait\b|français\b|anglais\b|souhait\b)\w{2,}(?:ait|aient|ais)\b
    | ^(?:couru|dîné|payé|vendu|acheté|vu|mangé|nagé|lu|fait|fini|appelé|visité|gagné|perdu|reçu|envoyé|bu|joué
      |pris)\b""",
    re.VERBOSE | re.IGNORECASE,
)
PLANNED_PARTICIPLES = listed(
    "planned scheduled booked reserved expected needed required located based called named used"
)
#: A fact of which there is one, for good.
ONCE = re.compile(
    r"\b(?:born|birthday|first|founded|invented|created|nees?|naissance|premiere?s?|fondee?s?|inventee?s?|creee?s?)\b"
)
LIVE = "live"
#: The same thing said of where somebody is at home, or at work.
ALIKE = {
    **dict.fromkeys(map(stem, listed("live reside move dwell habite habitons demenage demenager vis vivons")), LIVE),
    **dict.fromkeys(map(stem, listed("work travaille travaillons employed")), "work"),
}
#: Small words that say nothing of which thing is meant. Negations and changes are told by themselves.
SMALL = (
    FUNCTION_WORDS
    | HAVE
    | DETERMINERS
    | listed(
        """
        please there here every each daily user utilisateur actually vraiment finalement i've i'll i'd we've we'll
        they've you've you'll
        """
    )
) | NOT
CHANGE_WORDS = listed(
    """
    now longer anymore more instead moved move switched switch changed change rescheduled postponed extended adjusted
    updated increased decreased reduced improved raised lowered grown grew rose went gone took over replaced new stopped
    quit gave recently just further since maintenant desormais dorenavant present partir lieu place demenage change
    decale decalee reporte reportee deplace deplacee releve augmente augmentee baisse baissee monte montee passe passee
    passes passees repris remplace remplacee quitte arrete nouveau nouvelle nouveaux plus encore again pushed back
    bumped shifted scrap scrapped effective rather plutot cancelled canceled given abandonne abandonnons abandonnent
    annule annulee besoin avance avancee repousse repoussee transfere transferee
    """
)
ALWAYS_NEVER = listed("always never toujours jamais")
#: By which of the two languages a short text is read.
FRENCH_SIGNS = listed(
    """
    le la les l des du de d je j nous une un est sont avec dans pour chez et au aux ce cette mon ma ai ont sur s n
    ne pas qui que se
    """
)
ENGLISH_SIGNS = listed("the of and is are was were i my we our in at to with for an it this that has have")
#: Verbs that a text may leave out, since they say next to nothing of the thing.
DOING = frozenset(
    map(
        stem,
        listed(
            """
            write writes written write use uses used keep keeps kept do does done hold held run runs store stored make
            made get gets tenu tenue redige rediges fait faits faite utilise prend mets met mis range
            """
        ),
    )
)
#: Of whom it is told where nobody is named.
MINE = re.compile(r"\b(?:i|my|me|we|our|us|j|je|mon|ma|mes|nous|notre|nos)\b")
#: Where a thing began, and what of it one may say besides.
ORIGIN = re.compile(
    r"""\b(?: (?P<founded>founded|set\ up|established|fondee?s?|creee?s?)
    | (?P<built>built|dates?\ (?:from|back\ to)|construite?s?|date(?:nt)?\ d[eu])
    | (?P<born>born|birthday|date\ of\ birth|nee?s?|naissance|anniversaire) )\b""",
    re.VERBOSE,
)
LIVING = frozenset({LIVE, *map(stem, listed("in where which ou"))})
BLOOD = re.compile(
    r"""(?:(?<=\ )|(?<=:)|^)(?P<group>ab|a|b|o)\ ?(?P<sign>negative|positive|negatif|positif|neg|pos|rh\+|rh-|\+|-)"""
)
#: It was one alone who did it; or it is a whole life of which it is told.
ALONE = re.compile(r"\b(?:alone|single-handedly|all\ by\ (?:him|her)self|seule?|a\ (?:lui|elle)\ seule?)\b")
LIFELONG = re.compile(
    r"""\b(?: (?:all|whole|entire)\ (?:of\ )?(?:(?:my|his|her|their|our|working)\ )*(?:life|lives|childhood|career|youth
    |schooling|school\ years) | toute?\ (?:m|s|l|n?otre|leur)\w*\ (?:vie|enfance|carriere|scolarite|jeunesse) )\b""",
    re.VERBOSE,
)
#: What stands before a text that is said once more.
REMINDING = re.compile(
    r"""(?:\s*(?: please\ (?:remember|note) | remember | reminder | don't\ forget | as\ i\ said | once\ more | again
    | note | je\ te\ (?:redis|rappelle) | je\ (?:redis|rappelle) | pour\ rappel | rappel | (?:ne\ pas\ oublier
    | n'oublie[sz]?\ pas | a\ noter | note) )\s*(?:that\b|que\b|:|,)?\s*(?:qu')?)?""",
    re.VERBOSE,
)
#: What a meeting may say to a proposal.
AGREED = re.compile(
    r"""\b(?: chose | picked | approved | accepted | adopted | agreed\ (?:to|on) | voted\ for | said\ yes
    | vote\ pour | adoptee?s? | approuvee?s? | accepte\w* | retenue?s? | choisi\w* )\b""",
    re.VERBOSE,
)
REFUSED = re.compile(
    r"""\b(?: turned\ (?:\S+\ ){0,3}?down | rejected | refused | declined | voted\ against | said\ no
    | vote\ contre | refusee?s? | rejetee?s? | ecartee?s? | repoussee?s? )\b""",
    re.VERBOSE,
)
