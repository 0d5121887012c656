"""Closed word lists by which folding knows what it must not touch, in English, French, German and Spanish, folded.

They err on the side of too many: an entry with such a word stays as it is, which costs a line and no truth.
"""

from __future__ import annotations

from memory.domain.moment_words import MONTHS, WEEKDAYS
from memory.domain.negations import NOT
from memory.domain.retelling import LIMITING, listed

NEGATION = NOT | listed(
    """
    nothing nobody nowhere hardly barely scarcely lack lacks lacking fail fails failed unable impossible unless except
    nor instead stop stops stopped stopping quit quits avoid avoids avoided avoiding cease ceased refuse refuses
    refused nullement guere sauf excepte hormis incapable arrete arreter cesse cesser evite eviter refuser aucunement
    pas plus weder nichts niemand kaum keinem keiner keines statt ausser unmoglich tampoco nada nadie ningunas
    ningunos hors excluding ausgenommen excepto salvo imposible jamas nem nao nunca senza non mai niet geen nooit
    zonder against contre gegen contra
    """
)
CONDITION = listed(
    """
    si if unless when whenever provided otherwise case lorsque lorsqu quand sinon pourvu condition conditions cas wenn
    falls sonst sofern sobald als ob cuando siempre supposing assuming depending
    """
)
REPORT = listed(
    """
    say says said tell tells told claim claims claimed think thinks thought believe believes believed hear heard
    report reported reportedly allegedly supposedly according rumour rumor suggests suggested dit dis disent disait
    pense pensent pensait croit croient croyait affirme affirment affirmait raconte racontait pretend pretendait selon
    apres soi-disant entendu declare declarait assure suppose explique expliquait annonce annoncait ecrit mentionne
    promet jure soutient estime rapporte explains explained announced announces writes wrote mentions mentioned
    promises promised swears argues estimates assumes guesses supposes worries fears sagt sagte meint meinte glaubt
    glaubte laut denkt dachte behauptet angeblich dice dicen dijo cree creia piensa pensaba afirma segun dicho
    """
)
HEDGE = (LIMITING - NOT - listed("before after until avant apres jusque jusqu bis vor nach hasta antes despues")) | (
    listed(
        """
        maybe perhaps probably possibly approximately approx roughly around about nearly apparently seem seems seemed
        looks likely unlikely might may could would should will shall must can want wants wanted hope hopes hoped plan
        plans planned wish wishes try tries tried trying dream dreams imagine imagines pretends doubt doubts false
        wrong untrue fake former formerly ex toy mock half theory film movie novel going intend intends need needs
        peut-etre probablement possiblement environ apparemment semble semblait parait faux fausse fausses factice
        imaginaire virtuel virtuelle ancien ancienne anciens anciennes anciennement demi demie pourrait pourraient
        devrait devraient serait seraient aurait auraient voudrait voudrais veut veux veulent espere souhaite compte
        envisage prevoit projette cherche essaie tente reve doute theorie roman jouet peluche sera seront aura auront
        va vais vont peut peuvent doit doivent faut futur future besoin least up max min maximum minimum above below
        exceeds superieur superieure inferieur inferieure depasse vielleicht wohl wahrscheinlich moglich
        moglicherweise etwa ungefahr beinahe konnte konnten sollte sollten mochte mochten durfte wird werden wollen
        muss mussen kann konnen falsch ehemalig ehemaliger ehemalige halb traumt hofft scheint quizas quiza tal vez
        probablemente posiblemente aproximadamente parece podria deberia seria habria quiere quieren espera falso
        falsa antiguo antigua medio sueno intenta van puede debe
        """
    )
)
#: What somebody no longer has, or the reverse of having.
GONE = listed(
    """
    sold sell sells selling lost lose loses broke broken breaks gave given returned stolen dead died missing removed
    deleted cancelled canceled retired replaced vendu vendue vendus vendues vend vends perdu perdue casse cassee donne
    donnee rendu rendue vole volee mort morte manque supprime annule annulee retire remplace verkauft verloren kaputt
    tot gestohlen ersetzt abgesagt vendido vendida perdido perdida roto rota muerto muerta cancelado robado
    """
)
TIME = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(f"{day}s" for day in WEEKDAYS)
    | listed(
        """
    until till before after ago once formerly previously used yesterday today tomorrow tonight currently now jusque
    jusqu jusqu'a avant apres autrefois jadis hier aujourd aujourd'hui demain weekend weekends week-end week weeks
    semaine semaines nuit nuits night nights matin matins morning mornings soir soirs evening evenings afternoon jour
    jours day days daily quotidien ans annee annees year years mois month months heure heures hour hours tag tage
    nacht woche wochen monat monate jahr jahre dia dias noche noches semanas meses anos hora horas bis vor nach fruher
    gestern heute morgen hasta antes despues ayer hoy manana last next dernier derniere prochain prochaine
    """
    )
)
#: Held back with this reason, the first that fits. A fifth one, `quoted`, is of marks and not of words.
OPERATORS = {"negation": NEGATION, "condition": CONDITION, "report": REPORT, "time": TIME, "gone": GONE, "hedge": HEDGE}
#: Characters that negate in scripts without spaces.
NEGATING = frozenset("不没沒无無非未别別")

DETERMINERS = listed("le la les l un une des the an der die das ein eine einen el los las una unos unas")
OF = listed("de du d of von del")
AND = listed("et and und y")
#: Who has is all that these say: what more is said of the thing leaves the statement true.
HAVE = listed(
    """
    ai as avons avez ont possede possedes possedons possedent owns own has have dispose comprend comporte contient
    includes contains hat habe haben besitzt besitze tiene tengo tienen tenemos posee poseo
    """
)
#: What may begin more about a thing that somebody has, and still have. Not `in`, not `for`: a dog in a game.
MORE = listed("avec with mit con sous under depuis since seit desde")
#: What follows these is all of what it says: a password that is red is not one that is red and blue.
EQUATING = listed("est sont is are ist sind es son = was were etait etaient war waren era eran")
#: Words of grammar that no safe addition holds.
OTHER = listed(
    """
    par by por qui que qu quoi dont ou who which that whose where what was were is are am be been being est sont suis
    es sommes etes etait etaient ete fut etre war waren ist sind bin worden wurde son soy era fue ser sido estar esta
    je j tu il elle on nous en in dans at chez for pour fur para sur a vous ils elles i you he she it we they me him
    her them ich du er sie wir ihr yo ella ellos my your his their our mon ma mes ton ta tes sa ses notre nos votre
    vos leur leurs mein meine sein seine mi su mis sus to from au aux ce cet cette ces this these those than as comme
    like or oder o und but mais aber pero car because parce weil porque so donc dass se s c y m t do does did hier zu
    zum zur
    """
) - (AND | DETERMINERS)
