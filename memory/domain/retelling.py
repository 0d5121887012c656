"""Words that a text may tell otherwise than it was said: forms and light words of four languages, and words alike.

`FREE` words carry no fact by themselves ("uses", "prefers to", "because of"). Words that do (to like, to hate, to live
somewhere) may stand for their likes alone, so that "I love sushi" never becomes "Hates sushi". What limits a statement
(only, always, until, more) is free in no language, function word or not. All folded as words.py folds.
"""

from __future__ import annotations

from collections.abc import Collection

from memory.domain.function_words import ENGLISH, FRENCH


def listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Never free, though they are small: each makes another statement of the rest.
LIMITING = listed(
    """
    all always any both every few fewer less more most never no none nor not once only same some too under until
    without before after again still already almost nearly rarely seldom sometimes often except unless aucun
    aucune chaque jamais moins ne ni pas peu plus sans sauf seulement tous tout toute toutes toujours trop
    uniquement encore deja avant apres jusque jusqu presque rarement parfois souvent non alle immer nicht kein keine
    keinen nie niemals ohne nur noch schon bis vor nach mehr weniger fast selten oft todo todos toda todas siempre
    nunca sin solo mas menos hasta antes despues casi ningun ninguno ninguna
    """
)
#: Who a text is about, where that is the person.
PERSON = listed(
    """
    user users utilisateur utilisatrice usager person personne benutzer benutzerin nutzer usuario usuaria me myself
    moi i je ich yo we nous wir nosotros on
    """
)
_ENGLISH_LIGHT = """
    be been being become becomes became do doing done does make makes making made get gets getting got gotten go
    goes going went gone come comes coming came take takes taking took taken give gives giving gave given put puts
    putting keep keeps keeping kept will would shall should may might must can could confirm confirms confirmed
    confirming say says said saying state states stated stating tell tells told telling think thinks thought
    thinking believe believes believed feel feels felt find finds found finding consider considers considered
    considering mention mentions mentioned note notes noted regard regards opinion view fact task todo rule reason
    result results resulting resulted resultant cause causes caused causing allow allows allowed let lets happen
    happens happened provide provides provided providing set sets setting include includes included including based
    due via per onto upon towards toward rather even also well instead though although however therefore thus hence
    while whereas whether currently now then going forward moving ahead will according regarding concerning about
    among amongst within across through throughout along besides since because able such way ways thing things kind
    sort part order case terms respect matter one's oneself who whose that upcoming future current present given
    particular specific general overall likely possible possibly explicitly personally apparently mainly mostly
    really very quite pretty strongly firmly clearly simply just etc start starts started starting begin begins
    began begun continue continues continued match matches matching align aligned accordingly ensure ensures
    ensuring serve serves serving served have has had having
"""
#: They only say what a number or a name that has to be stated is.
_MEASURES = {
    "en": """
    name names named called number date time day week month year amount value period duration temperature location
    located place size total target level rate version age
    """,
    "fr": """
    nom noms nomme appelle appeler nombre numero date heure jour semaine mois annee montant valeur periode duree
    temperature lieu endroit situe taille total cible niveau taux version age
    """,
}
_FRENCH_LIGHT = """
    etre suis es est sommes etes sont etais etait etaient sera serai seront serait soit ete etant avoir ai as a
    avons avez ont avais avait avaient aura aurai auront aurait ait eu ayant faire fais fait font faisait fera ferai
    ferait faisant aller vais vas va allons allez vont allait ira irai pouvoir peux peut pouvons peuvent pouvait
    pourra pourrait pu devoir dois doit devons doivent devait devra devrai devrait du se confirme confirmer
    confirmation dit dire dis disait penser pense pensait avis opinion croire crois croit trouver trouve trouvait
    noter note fait faits tache regle raison cause causer causant cela ceci plutot meme aussi alors ensuite donc
    ainsi car parce puisque tandis lorsque desormais dorenavant actuellement maintenant selon concernant vers entre
    afin lors dont via grace mettre met mis mettra prendra donner donne donna donnera rendre rend passer passe
    permettre permet laisser laisse compter comme facon maniere chose choses type sorte partie cadre cas futur
    futurs future futures avenir prochain actuel actuelle vraiment surtout notamment commencer commence continuer
    continue possede posseder possedait celui celle ceux celles notre nos leur leurs soi
"""
_GERMAN_LIGHT = """
    der die das den dem des ein eine einen einem einer eines und oder aber auch als wie wenn weil dass ob in im an
    am auf aus bei mit von vom zu zum zur fur um durch gegen uber unter zwischen ich mich mir mein meine meinen
    meinem meiner du er sie es wir uns unser unsere ihr ihre sein seine ist sind bin war waren wird werden wurde
    habe hat haben hatte kann konnen muss mussen soll sollen will wollen mochte mochten darf man sich so dann jetzt
    hier dort denn doch ja benutze benutzt benutzen verwende verwendet verwenden nutze nutzt nutzen entscheide
    entschieden entscheidung plane plant finde findet meint denke denkt da
"""
_SPANISH_LIGHT = """
    el la los las lo un una unos unas y e o u pero que de del al a en con por para como cuando si se su sus mi mis
    tu tus yo me nos nosotros ella ellos ellas esto esta este eso es son soy somos era eran fue ser sido estar estoy
    esta estan tiene tengo tienen tener tenia ha he han haber hay hace hago hacer va voy van ir puede puedo poder
    debe debo deber quiere quiero querer usa uso usar utiliza utilizo utilizar decide decidi decidido decision
    piensa pienso cree creo porque pues tambien ahora entonces muy
"""
#: Words of grammar alone: they say which language is written.
GRAMMAR = {"en": listed(ENGLISH), "fr": listed(FRENCH), "de": listed(_GERMAN_LIGHT), "es": listed(_SPANISH_LIGHT)}
FREE = {
    "en": (frozenset(ENGLISH.split()) | frozenset(f"{_ENGLISH_LIGHT} {_MEASURES['en']}".split())) - LIMITING,
    "fr": (frozenset(FRENCH.split()) | frozenset(f"{_FRENCH_LIGHT} {_MEASURES['fr']}".split())) - LIMITING,
    "de": frozenset(_GERMAN_LIGHT.split()) - LIMITING,
    "es": frozenset(_SPANISH_LIGHT.split()) - LIMITING,
}
#: One line a group: each word may stand for each other of it. Forms that no stemmer folds are in it too.
_ALIKE = """
    want wants wanted wanting wish wishes wished like hope hopes
    need needs needed needing require requires required requiring must should
    plan plans planned planning intend intends intended will going commit commits committed committing i'll we'll
    promise promises promised promising commit commits committed commitment committing agree agrees agreed will
    use uses used using utilize utilizes adopt adopts adopted adopting run runs running decided chose switched
    use uses using decision switching picked
    try tries tried trying test tests tested testing
    decide decides decided deciding decision decisions agree agreed agrees
    help helps helped helping
    know knows knew known
    veux veut vouloir voulons veulent voulait voudrais voudrait voulu souhaite souhaiter souhaitait envie
    besoin faut doit dois necessaire
    prevoit prevoir prevu prevois compte vais va plan projet
    utilise utiliser utilises utilisent utilisait utilisation adopte adopter sert servir decide choisi opte
    promis promettre promet promesse engage engager engagement accord convenu
    decide decider decidait decision decisions accord convenu
    essaie essayer teste tester
    sais sait savoir su connais connait
    like likes liked love loves loved enjoy enjoys enjoyed fond fan prefer prefers preference favorite favourite
    prefer prefers preferring preference preferences favorite favourite rather
    hate hates hated dislike dislikes disliked detest detests loathe loathes
    live lives lived reside resides resided living home
    work works worked working employed job
    have has had own owns owned possess possesses owner my our mine got
    study studies studied studying student
    choose chooses chose choosing choice pick picks picked selected switch switches switched switching decide decided
    move moves moved moving relocate relocates relocated relocating
    buy buys bought buying purchase purchased
    sell sells sold selling
    send sends sent sending
    write writes wrote written writing
    read reads reading
    speak speaks spoke spoken speaking
    eat eats ate eaten eating
    drink drinks drank drunk drinking
    drive drives drove driven driving
    run runs ran running
    teach teaches taught teaching teacher
    build builds built building
    pay pays paid paying
    meet meets met meeting
    leave leaves left leaving
    stop stops stopped stopping quit quits
    avoid avoids avoided avoiding
    finish finishes finished finishing complete completes completed
    deliver delivers delivered delivering ready
    fix fixes fixed fixing repair repairs repaired
    call calls called calling phone
    born birthday birth
    marry married marries marriage
    child children kid kids
    big large
    narrow narrower tight tighter
    leave leaves leaving give gives
    deadline due until till by
    first before
    one a an single
    two pair couple
    or otherwise
    over than
    aime aimer aimes aimait adore adorer adores adorait apprecie apprecier prefere preferer prefererait preference
    prefere preferer prefererait prefererais preferait preference preferences prefer
    deteste detester detestes hais hait haine
    habite habiter habites habitait habitent vis vit vivre vivait vecu reside resider residait logement
    travaille travailler travailles travaillait travail bosse bosser emploi
    possede posseder possedait ai a avoir avons ont proprietaire mon ma mes notre nos
    etudie etudier etudiait etudiant etudiante etudes
    choisi choisir choisis choisit choisissons choix opte opter passe passer passons passage decide decider decision
    demenage demenager demenages demenagement
    achete acheter achetes achetait achat
    vend vends vendre vendu vente
    envoie envoyer envoies enverra enverrai envoi
    ecris ecrit ecrire ecrivait ecriture
    lis lit lire lisait lu
    parle parler parles parlait
    mange manger manges mangeait mangent
    bois boit boire buvait bu
    conduis conduit conduire conduisait
    enseigne enseigner prof professeur
    construis construit construire construction
    paie paye payer payait paiement
    arrete arreter arretes arret cesse cesser cesserai cessera
    evite eviter evites evitait
    finis finit finir fini termine terminer
    livre livrer livrera livrerai livraison
    repare reparer corrige corriger correctif
    nait ne nee naissance anniversaire
    epouse epouser marie mariee mariage
    enfant enfants gosse gosses
    viens vient venir venu venait viendra
    vois voit voir vu
    mets met mettre mis
    prends prend prendre pris
    tiens tient tenir tenu
    sors sort sortir sorti
    pars part partir parti
    dors dort dormir
    suit suivre suis suivi
    un une
    wohne wohnt wohnen gewohnt lebe lebt leben
    arbeite arbeitet arbeiten job
    bevorzuge bevorzugt lieber
    mag mogen liebe liebt lieben gern gerne
    hasse hasst hassen
    trinke trinkt trinken
    esse isst essen
    habe hat haben besitze besitzt
    vivo vive vivir resido reside
    trabajo trabaja trabajar
    gusta gustan encanta encantan amo ama
    prefiero prefiere preferir
    odio odia odiar detesto
    tengo tiene tener poseo posee
    bebo bebe beber
    como come comer
    only seulement uniquement
"""
#: Word → the words that may stand for it.
ALIKE: dict[str, frozenset[str]] = {}
for _line in _ALIKE.strip().splitlines():
    _group = frozenset(_line.split())
    for _word in _group:
        ALIKE[_word] = ALIKE.get(_word, frozenset()) | _group
#: Numbers as words, in the same order in each language.
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "zero un deux trois quatre cinq six sept huit neuf dix onze douze",
    "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
)
NUMBERS = {word: str(number) for line in _COUNTED for number, word in enumerate(line.split())}


#: Words of one language alone say which one a person writes.
TELLING = {
    name: found - frozenset().union(*(other for one, other in GRAMMAR.items() if one != name))
    for name, found in GRAMMAR.items()
}
#: A language with less than this share of the telling words is not written, but borrowed from.
WRITTEN = 0.25


def free_words(plain: Collection[str]) -> frozenset[str]:
    """The free words of the languages that the person writes; of all of them where that cannot be told."""
    hits = {name: len(telling.intersection(plain)) for name, telling in TELLING.items()}
    written = [name for name, count in hits.items() if count and count >= WRITTEN * max(hits.values())]
    return PERSON.union(*(FREE[name] for name in written or FREE)) - LIMITING
