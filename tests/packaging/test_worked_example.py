"""docs/writing-an-adapter.md, typed as it stands into a fresh environment: from an empty folder to `evalscope eval`."""

import json
import os
import re
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from openai_server import Messages, serve

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs' / 'writing-an-adapter.md').read_text(encoding='utf-8')
CAPITALS = {'France': '**Paris**', 'Kenya': 'Nairobi', 'Peru': 'Cusco', 'Japan': ''}
Run = Callable[..., 'subprocess.CompletedProcess[str]']


def _block(marker: str) -> str:
    match = re.search(rf'<!-- {re.escape(marker)} -->\n```\w+\n(.*?)```\n', PAGE, re.DOTALL)
    assert match, f'no block marked {marker}'
    return match[1]


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A folder with the files of the page."""
    for name in re.findall(r'<!-- file: (\S+) -->', PAGE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(_block(f'file: {name}'), encoding='utf-8')
    return tmp_path


@pytest.fixture
def programs(
    environment: Path, wheel: Path, request: pytest.FixtureRequest, run_or_fail: Callable[..., str]
) -> Iterator[Path]:
    """The programs of the environment, into which the package's wheel is installed as step 1 says."""
    folder = environment / 'bin'
    before = set(folder.iterdir())
    run_or_fail(folder / 'pip', 'install', '-q', '--no-deps', '--no-index', wheel)
    # Its requirements are borrowed, and pip sees them; evalscope's program is not among them.
    borrowed_packages = request.getfixturevalue('borrowed_packages')
    program = (Path(sysconfig.get_path('scripts')) / 'evalscope').read_text(encoding='utf-8')
    _, _, body = program.partition('\n')
    (folder / 'evalscope').write_text(f'#!{folder}/python\n{body}', encoding='utf-8')
    (folder / 'evalscope').chmod(0o755)
    yield folder
    borrowed_packages.unlink()
    run_or_fail(folder / 'pip', 'uninstall', '-q', '-y', 'evalscope-qa', 'capitals-benchmark')
    for program_file in set(folder.iterdir()) - before:
        program_file.unlink()


@pytest.fixture
def type_command(programs: Path, template: Path, run_process: Run) -> Callable[..., str]:
    """Return a function that runs a command of the page in the folder and returns what it printed."""

    def run(marker: str, loopback: bool = False, expected: int = 0, **replaced: str) -> str:
        text = _block(f'command: {marker}')
        for word, value in replaced.items():
            assert word in text
            text = text.replace(word, value)
        program, *words = shlex.split(text.replace('\\\n', ' '))
        path = os.pathsep.join([str(programs), os.environ['PATH']])
        process = run_process(programs / program, *words, loopback=loopback, PATH=path, PIP_NO_INDEX='1')
        assert process.returncode == expected, process.stdout + process.stderr
        return process.stdout

    return run


@pytest.mark.loopback
def test_the_template_works_as_it_stands(type_command: Callable[..., str], template: Path) -> None:
    assert type_command('replay').startswith(_block('output: replay'))
    assert '1 audited' in type_command('audit')  # and its exit status says that nothing was found
    # Without build isolation, for the network is blocked; the requirement of evalscope-qa is resolved.
    type_command('install', **{'install .': 'install --no-build-isolation .'})
    listed = re.findall(r'^(\w+).*?\bactive\b', type_command('list'), re.MULTILINE)
    assert 'capitals' in listed and 'pubmedqa' in listed

    def answer(messages: Messages) -> str:
        return next(reply for country, reply in CAPITALS.items() if country in messages[-1]['content'])

    with serve(answer) as server:
        type_command('eval', loopback=True, API_URL=server.url)
    prompts = [request['messages'][-1]['content'] for request in server.requests]
    assert len(prompts) == len(CAPITALS)
    for prompt in prompts:
        assert prompt.startswith('What is the capital of Italy?\nRome\n\nNow the question to answer.')
    (file,) = template.glob('outputs/*/reports/my-model/capitals.json')
    report: dict[str, Any] = json.loads(file.read_text(encoding='utf-8'))
    scores = {metric['identity']['name']: metric['score'] for metric in report['metrics']}
    assert scores == {'accuracy': 0.5, 'unanswered_ratio': 0.25}
