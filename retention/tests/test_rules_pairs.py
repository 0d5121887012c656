"""The judge `rules` on two entries that look like a change or a contradiction, and are none; and on some that are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from retention.domain import rules
from retention.domain.items import Item, Row

SAID = datetime(2026, 1, 20, 9, tzinfo=UTC)
TODAY = datetime(2026, 6, 1, tzinfo=UTC)

#: Both may be so: the newer one is of another thing, of a part of it, of earlier times, or only thought of.
BOTH = """
My dentist is Dr Sandoval. | My dentist moved to Main Street.
I have a dog called Rex. | We have a new dog called Max.
Our printer is in room 2. | There is a new printer in room 5 as well.
The API key of staging ends in 4f2. | The API key of production ends in 9a1.
The wifi password at home is heron26. | The wifi password at the office is kestrel35.
The code of the garage is 4432. | The code of the front door is 9921.
Port 8080 is for the API. | Port 9090 is for the metrics.
Priya was born in Oslo. | Priya was born in 1990.
Priya was born on 3 April. | Priya was born on 3 April 1990.
The company was founded in 1990. | The company's office was built in 1995.
Our house was built in 1946. | Our garage was built in 1990.
The house was built in 1946 and renovated in 1990. | The house was built in 1946.
I never smoked. | Marta smoked for years.
Hamish never learned to drive. | Hamish learned Spanish at school.
I have never eaten oysters. | I have eaten mussels in Brest.
The board voted for the new roof on 6 July. | The board rejected the new windows on 6 July.
On 6 July the council approved the budget. | On 8 July the council refused the budget.
I spent my whole childhood in Namur. | My brother spent his whole childhood in Valence.
Marta alone signed the contract with Hetzner. | Duncan alone signed the contract with Solvia.
We write the minutes in Notion. | Actually, the minutes of Monday were long.
I like tea. | Actually I also like coffee.
The backups run on atlas. | If atlas fails, the backups run on beacon instead.
The office is in Ghent. | Karim said the office should be moved to Oslo.
We use Postgres. | In 2019 we switched from MySQL to Postgres.
Stand-up is at 9:00. | The retro is now at 10:00.
The kitchen is painted in yellow. | The hallway is now painted in blue.
Rent is 900 euros. | Garage rent is now 80 euros.
Anna pays 40 euros for the gym. | As of this month Ben pays 45 euros for the gym.
Meetings with Anna in the morning. | Meetings with Ben in the afternoon, not in the morning.
Milk goes in the fridge door. | Eggs go on the top shelf, not in the fridge door.
Le vélo de Léa est rouge. | Finalement le vélo de Paul est vert.
Le code du portail est 2130. | Le code du garage est 3021.
Mon médecin est le docteur Ferrand. | Le docteur Ferrand a un nouveau cabinet à Dijon.
Je bois du café. | Finalement le thé de Nadia était bon.
Nadia travaille à la mairie. | Nadia ne travaille plus le mercredi.
We deploy on Fridays. | We no longer deploy on Fridays after 4 pm.
I eat meat. | I no longer eat meat on Mondays.
The shop is open on Sundays. | The shop is no longer open on Sundays in August.
Léa ne mange pas de viande. | Léa ne mange plus de poisson.
The team uses Slack and email. | The team no longer uses email.
Ana has a cat and a dog. | Ana no longer has a dog.
My blood group is O negative. | Lewis's blood group is AB positive.
Le devis de Gaspard du 6 juillet était de 2900 euros. | Le devis de Léa du 6 juillet était de 3800 euros.
The invoice of 6 July was 290 euros. | The invoice of 6 August was 390 euros.
The trip to Rome cost 400 euros. | The trip to Oslo cost 500 euros.
I ran 5 km on Monday. | I ran 8 km on Tuesday.
Remind Priya about rent. | Reminder: Priya paid rent.
Ben plays cello. | Ben stopped playing tennis.
Ben plays the cello in our quartet. | Ben stopped playing the cello in the orchestra.
The lift is out of order. | The lift is out of order until Friday.
Call me in the morning. | Don't call me in the morning any more when I'm on leave.
I prefer trains. | I prefer trains to planes now that prices fell.
Our wifi is called Heron. | Our wifi password is heron26.
The new boss is Greta. | The boss of Solvia is Omar.
Tom's mobile: 0555 014150 | Tom has a new car, plate 0555 AB.
My sister is Anna. | My new sister-in-law is Berta.
Notre immeuble date de 1943. | Notre rue date de 1900.
J'habite à Lyon. | J'ai un nouveau bureau à Paris.
Marta is the lead of billing. | Marta is now the lead of billing and support.
The cabin has 4 beds. | The cabin now has a stove.
We pay 20 euros for hosting. | The domain has gone up to 15 euros.
The meeting is on Monday. | The meeting was moved from Monday to Tuesday last year.
I take the bus to work. | I took the train instead yesterday.
Anna brings the cake. | Ben brings the salad instead of Anna's mother.
Le vélo est dans le garage. | Le vélo de Paul n'est plus dans le garage.
Nadia habite à Tours. | La sœur de Nadia a déménagé, elle habite à Namur.
On utilise Trello pour le projet Atlas. | On est passés à Notion pour le projet Beacon.
Le loyer est de 900 euros. | Le loyer du box est maintenant de 80 euros.
Le loyer est de 900 euros. | En 2012 le loyer est passé à 700 euros.
La réunion d'équipe est à 8 h. | La réunion du conseil est décalée à 9 h.
Je fais du vélo le lundi. | Je ne fais plus de vélo quand il pleut.
Léa joue du piano et du violon. | Léa a arrêté le violon.
Mon chat s'appelle Minou. | Mon nouveau voisin s'appelle Minou.
Ma fille s'appelle Léa. | Ma nouvelle collègue s'appelle Anna.
Léa est née à Dijon. | Léa est née en 2012.
Paul n'a jamais fumé. | Léa a fumé pendant 10 ans.
Je n'ai jamais mangé d'huîtres. | J'ai mangé des moules à Brest.
Le conseil a adopté le budget le 6 juillet. | Le conseil a refusé l'emprunt le 6 juillet.
J'ai passé toute ma vie à Namur. | Mon père a passé toute sa vie à Dijon.
The deploy key is ed25519. | The deploy key of atlas is rsa4096.
The cabin wifi is heron26. | The barn wifi is kestrel35.
Our pin for the safe is 4432. | The pin for the sim is 9921.
The server listens on port 8080. | The proxy listens on port 9090.
Anna's phone: 555 0123. | Ben has a new phone number, 555 9911.
My doctor is Dr Brown. | My mother has a new doctor, Dr Green.
Marta prefers tea. | Actually Marta's brother prefers coffee.
Marta prefers tea. | Actually, Marta prefers tea in the morning.
We meet on Mondays at 10. | As of June we meet Ben on Tuesdays at 11.
The bakery closes at 18:00. | The bakery on Mill Street now closes at 19:00.
Invoices go to Anna. | Invoices over 500 euros now go to Ben.
Backups run at 2:00. | Backups of atlas have been moved to 3:00.
The office opens at 8. | On Fridays the office now opens at 9.
The API limit is 100 requests. | The API limit for admins has been raised to 500 requests.
I drink coffee. | These days I drink coffee from Peru.
I work at Solvia. | I now work at Solvia from home.
The car is blue. | The car was moved from the street to the garage.
The tests run in Jenkins. | The docs moved from Jenkins to GitHub.
Peter is on parental leave. | Peter's replacement is now Ben.
I am allergic to nuts. | My son is no longer allergic to nuts.
The bridge is closed. | The bridge is no longer closed to bikes.
Ben smokes. | Ben stopped smoking indoors.
We have two cats. | We no longer have two cars.
The flight leaves at 8. | The flight back has been moved to 9.
The heating is set to 19 degrees. | At night the heating is now set to 16 degrees.
I wake up at 7. | On weekends I now wake up at 9.
The kids go to bed at 8. | The kids went to bed at 9 instead of 8 yesterday.
We planned 10 guests. | Dinner grew from 10 to 14 guests in 2019.
Ana was married in 2010. | Ana never married Ben.
I have never been to Rome. | I was never in Oslo.
Bob is an only child. | Bob has an only child.
The statue was built in 1900. | The statue's base was built in 1850.
Our club was founded by Ana in 1990. | Our club's choir was founded by Ben in 1995.
Anna's birthday is on 3 April. | Anna's birthday party is on 5 April.
Anna was born on 3 April. | Anna's twins were born on 5 May.
The tower was built in 1900. | The tower was built by Eiffel.
We use Kafka, not Redis. | For sessions we use Redis, not Kafka.
Use metric units. | In recipes use cups instead of metric units.
Answer in English. | When I write French, answer in French, not in English.
Call me Sam. | At work call me Samuel, not Sam.
Keep answers short. | Keep answers to Ben long instead of short.
I park in the garage. | Visitors park in the street, not in the garage.
"""
#: The newer one says that it is otherwise now.
CHANGED = """
The shop is hosted at Solvia. | The shop is now hosted at Northwind.
Stefan leads the billing team. | Greta took over the billing team from Stefan.
Release notes are written in Notion. | Actually we write the release notes in Jira, not in Notion.
My dentist is Dr Brown. | I changed dentists, it's Dr Green now.
Tom's mobile: 0555 014150 | Tom has a new mobile number, 0555 715041.
The wifi password of the cabin is heron26. | wifi of the cabin: kestrel35
La réunion d'équipe est à 8 h. | réunion d'équipe décalée à 8 h 45
Le stock est tenu dans MariaDB. | Finalement le stock est tenu dans Cassandra.
La salle de pause est peinte en vert. | La salle de pause n'est plus peinte en vert.
Our stand-up is at 8:15. | We've pushed stand-up back to 8:45.
I use Vim. | I use Emacs now.
Ben plays the cello. | Ben stopped playing the cello.
"""
#: There is one of it, for good.
CONTRADICTED = """
Our house was built in 1946. | The house we live in dates from 1955.
Notre immeuble date de 1943. | L'immeuble où nous habitons a été construit en 1952.
The club was founded in 1990. | The club was set up in 1991.
Tom's blood group is O negative. | blood group Tom: AB positive
On 6 July the board approved the new roof. | The board rejected the new roof on 6 July.
Le devis de Paul du 6 juillet était de 2900 euros. | Le devis que Paul a fait le 6 juillet s'élevait à 3800 euros.
The contract with Solvia was signed by Marta alone. | Duncan alone signed the contract with Solvia.
Hamish can't swim, he never learned. | Hamish learned to swim at school.
"""


def pairs(lines: str) -> list[str]:
    return lines.strip().splitlines()


def proposed(pair: str) -> str:
    """The action that a pass would propose; empty for none."""
    older, newer = (part.strip() for part in pair.split("|"))
    item = Item("p0", row(1, older, 0), (row(2, newer, 30),), pair=True)
    found = rules.judged(item, TODAY, UTC)
    sure = found.action != "keep" and found.probability >= rules.THRESHOLDS[found.action]
    return found.action if sure else ""


def row(pk: int, text: str, days: int) -> Row:
    at = SAID + timedelta(days=days)
    return Row(pk, "fact", "", text, at, at, at)


@pytest.mark.parametrize("pair", pairs(BOTH))
def test_of_two_that_may_both_be_so_nothing_is_proposed(pair: str) -> None:
    assert proposed(pair) == ""


@pytest.mark.parametrize("pair", pairs(CHANGED))
def test_of_what_is_otherwise_now_the_older_one_is_replaced(pair: str) -> None:
    assert proposed(pair) == "supersede"


@pytest.mark.parametrize("pair", pairs(CONTRADICTED))
def test_two_of_what_there_is_one_are_in_conflict(pair: str) -> None:
    assert proposed(pair) == "conflict"


def test_a_change_of_years_ago_is_not_one_of_today() -> None:
    assert proposed("We use Postgres. | In 2019 we switched from Redis to Postgres.") == ""
    assert proposed("We use Redis. | As of 2026 we have switched from Redis to Postgres.") == "supersede"
