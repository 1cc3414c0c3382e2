"""A worker's own decisions; that it serves is seen in every audit of the other tests."""

from typing import Any

import pytest
from evalscope_qa.audit.scoring.at_work import AtWork
from evalscope_qa.audit.scoring.guard import Guard
from evalscope_qa.audit.workers import worker
from evalscope_qa.audit.workers.pool import Options, Pool


def test_every_registered_benchmark_is_listed_in_order_for_an_audit_of_all() -> None:
    with Pool(Options(rules=[]), workers=1) as pool:
        names = pool.registered()
    assert names == sorted(names)
    assert {'pubmedqa', 'selqa_triggering', 'mmlu', 'gsm8k'} <= set(names)
    assert len(names) > 200


def test_a_benchmark_whose_module_cannot_be_imported_is_registered_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from evalscope.api import registry

    class Broken(dict):
        def __contains__(self, name: object) -> bool:
            raise ImportError('`sentience` not found')

    monkeypatch.setattr(registry, 'BENCHMARK_REGISTRY', Broken())
    assert worker._is_registered('broken')


def test_trouble_that_is_not_the_users_is_the_reason_and_the_worker_goes_on() -> None:
    sent: list[dict[str, Any]] = []
    job = {'benchmark': 'no_such_benchmark', 'dataset_args': {}, 'records': '', 'rules': ['order']}
    worker._serve(job, Guard(), AtWork(), sent.append)
    assert [message['event'] for message in sent] == ['step', 'done']
    assert 'no benchmark of that name' in sent[-1]['result']['reason']
