"""What a judge may still be asked: the opt-in, the day's budget, and what a pass makes of its verdicts."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import override_settings
from django.utils import timezone

from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_models import MODEL, ScriptedModel, stream
from forgesite.testing_wire import Request, Wire
from retention import budget, forgetting_pass, judges, model_judge
from retention.domain.asking import FORM
from retention.errors import BudgetError, NotAllowedError
from retention.models import JudgeCalls, Measured, Pass, Proposal
from retention.tests.entries import said
from retention.tests.judging import NOW, calls, counts, single, will_choose

pytestmark = pytest.mark.django_db
SECRET = "The wifi password is birch-71"


def budgeted(most: int) -> override_settings:
    return override_settings(FORGE=settings.FORGE.model_copy(update={"JUDGE_DAILY_BUDGET": most}))


def test_nobody_is_asked_without_an_opt_in(ana: Account, model: ScriptedModel) -> None:
    with pytest.raises(NotAllowedError):
        model_judge.connect(ana)
    assert not model.requests


def test_an_opt_in_that_is_withdrawn_between_two_sends_ends_it(willing: Account, model: ScriptedModel) -> None:
    judge = model_judge.connect(willing)
    will_choose(model, 3, s0="keep")
    judge.judged(willing, [single()], NOW)
    Account.objects.filter(pk=willing.pk).update(judge_opt_in=False)  # the object in hand knows nothing of it

    with pytest.raises(NotAllowedError) as raised:
        judge.judged(willing, [single()], NOW)

    assert raised.value.ends_pass
    assert (len(calls(model)), counts(willing)[:2]) == (3, (0, 3))


def test_a_budget_that_ends_half_way_sends_no_further_batch(willing: Account, model: ScriptedModel) -> None:
    judge = model_judge.connect(willing)
    will_choose(model, 6, s0="keep")
    with budgeted(4):
        judge.judged(willing, [single()], NOW)
        with pytest.raises(BudgetError) as raised:
            judge.judged(willing, [single()], NOW)

    assert raised.value.ends_pass
    assert (len(calls(model)), counts(willing)[:2]) == (3, (0, 3))


def test_a_budget_is_of_one_account_and_day(willing: Account, ben: Account) -> None:
    yesterday = timezone.now().date() - timedelta(days=1)
    JudgeCalls.objects.create(owner=willing, day=yesterday, spent=200)
    JudgeCalls.objects.create(owner=ben, day=timezone.now().date(), spent=150, reserved=50)

    with budget.call(willing) as usage:
        usage.spent = True
    with pytest.raises(BudgetError), budget.call(ben):
        pass
    with budgeted(0), pytest.raises(BudgetError), budget.call(willing):
        pass


def test_a_call_that_breaks_is_given_back(willing: Account) -> None:
    with suppress(RuntimeError), budget.call(willing):
        assert counts(willing)[:2] == (1, 0)
        raise RuntimeError

    assert counts(willing)[:2] == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_spend_no_more_than_there_is(willing: Account) -> None:
    def spend(_number: int) -> bool:
        try:
            with budget.call(willing) as usage:
                usage.spent = True
                usage.prompt_tokens = 5
        except BudgetError:
            return False
        finally:
            connections.close_all()
        return True

    with budgeted(7), ThreadPoolExecutor(4) as threads:
        spent = list(threads.map(spend, range(20)))

    assert (sum(spent), counts(willing)) == (7, (0, 7, 35, 0))


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_server_answers(willing: Account, model: ScriptedModel) -> None:
    path, wrote = connection.settings_dict["NAME"], []

    async def looks(_request: Request, wire: Wire) -> None:
        """Another writer, who waits for nobody."""
        with Database.connect(path, timeout=0) as other:
            wrote.append(other.execute("UPDATE django_session SET expire_date = expire_date").rowcount)
        await wire.head(content_type="text/event-stream")
        for piece in stream([json.dumps({"s0": "keep"})]):
            await wire.write(piece)
        await wire.end()

    model._script.extend([looks] * 3)

    assert [one.choice for one in model_judge.connect(willing).judged(willing, [single()], NOW)] == ["keep"]
    assert wrote == [0, 0, 0]


def passed(owner: Account) -> tuple[Any, list[str]]:
    done = forgetting_pass.run(owner)
    return done, Pass.objects.of(owner).latest("id").trouble


def test_a_judge_that_nobody_measured_proposes_nothing(willing: Account, model: ScriptedModel) -> None:
    said(willing, SECRET, days=60)
    will_choose(model, 3, s0="archive")

    done, _trouble = passed(willing)

    assert (done.judged, done.proposed, done.dismissed) == (1, 0, 1)
    assert Proposal.objects.get().model == f"{MODEL}@{FORM}"


def test_a_measured_judge_proposes_what_it_is_sure_of(willing: Account, model: ScriptedModel) -> None:
    entry = said(willing, SECRET, days=60)
    Measured.objects.create(owner=willing, judge=f"{MODEL}@{FORM}", thresholds={"archive": 0.75})
    will_choose(model, 3, s0="archive")

    done, _trouble = passed(willing)

    [proposal] = Proposal.objects.of(willing)
    assert (done.proposed, proposal.memory_id, proposal.action) == (1, entry.pk, "archive")
    assert sum(proposal.probabilities.values()) == pytest.approx(1, abs=0.001)


def test_a_broken_answer_proposes_nothing_and_no_rule_judges_instead(willing: Account, model: ScriptedModel) -> None:
    said(willing, "The loan car is ours until October 1, 2025", days=60)
    model.will_answer("archive everything")

    done, trouble = passed(willing)

    assert (done.judged, done.proposed) == (0, 0)
    assert not Proposal.objects.exists()
    assert trouble[-1].endswith("[garbled]")
    assert not judges.is_local()
