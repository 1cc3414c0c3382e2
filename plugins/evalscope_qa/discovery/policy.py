"""The policy of discovery as a pure function: which claim to a benchmark name is used, and why the others are not."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Sequence

if TYPE_CHECKING:
    from evalscope.api.benchmark import BenchmarkMeta

Status = Literal['active', 'kept built-in', 'refused', 'left out', 'failed', 'off']

DEFAULT_GROUP = 'default'


@dataclass(frozen=True)
class Decision:
    """What became of one plugin's claim to one benchmark name."""

    benchmark: str
    distribution: str
    """Name of the installed distribution that declares the entry point."""
    distribution_version: str
    module: str
    """The entry point's module."""
    version: str | None = None
    """The plugin's evaluation version, such as ``v1.3``; None if its module was not imported."""
    builtin_module: str | None = None
    """Module of the benchmark that evalscope has under this name; None if it has none."""
    builtin_version: str | None = None
    status: Status = 'active'
    reason: str = ''
    group: str = DEFAULT_GROUP

    def sentence(self, evalscope_version: str) -> str:
        """Say it in one line that names both versions and both owners."""
        owner = f'{self.distribution} {self.distribution_version} ({self.module})'
        plugin = owner if self.version is None else f'{self.version} of {owner}'
        builtin = f'evalscope {evalscope_version} ({self.builtin_module})'
        if self.builtin_version is not None:
            builtin = f'{self.builtin_version} of {builtin}'
        has_builtin = self.builtin_module is not None
        if self.status == 'active':
            what = f'{plugin} ' + (
                f'replaces {builtin}' if has_builtin else f'is added; evalscope {evalscope_version} has none'
            )
        elif self.status == 'kept built-in':
            what = f'{builtin} is kept; {plugin} is not used: {self.reason}'
        else:
            what = f'{plugin} is not used: {self.reason}' + (f'; built in is {builtin}' if has_builtin else '')
        return f"Benchmark '{self.benchmark}': {' '.join(what.split()).rstrip('.')}."


class Maker(Protocol):
    """What makes a benchmark of one name when that name is looked up."""

    def __call__(self, benchmark: str, builtin: 'BenchmarkMeta | None') -> 'BenchmarkMeta | str':
        """Return the benchmark, with its adapter; or in one line why there is none with this evalscope.

        Args:
            benchmark: The name.
            builtin: evalscope's own benchmark of that name; it is not to be changed.
        """


class Claim(NamedTuple):
    """One entry point: a distribution claims a benchmark name for a module of its own."""

    benchmark: str
    distribution: str
    distribution_version: str
    module: str
    group: str = DEFAULT_GROUP
    """Benchmarks of the default group are on unless asked otherwise, those of any other are off."""
    maker: str = ''
    """The function of the module that makes the benchmark, a :class:`Maker`; empty where the module registers it."""

    @property
    def owner(self) -> str:
        return f'{self.distribution} {self.distribution_version}'

    def decision(
        self,
        status: Status,
        reason: str = '',
        version: str | None = None,
        builtin_module: str | None = None,
        builtin_version: str | None = None,
        *,
        benchmark: str | None = None,
    ) -> Decision:
        """Return a decision about this claim, or about another benchmark that its module registers."""
        return Decision(
            benchmark=self.benchmark if benchmark is None else benchmark,
            distribution=self.distribution,
            distribution_version=self.distribution_version,
            module=self.module,
            version=version,
            builtin_module=builtin_module,
            builtin_version=builtin_version,
            status=status,
            reason=reason,
            group=self.group,
        )


class Offer(NamedTuple):
    """What a claim has brought: the evaluation version its module registered, or why there is none."""

    claim: Claim
    version: str | None
    failure: str | None = None
    left_out: str | None = None
    """Why its maker made none with this evalscope, which is no failure."""


def version_key(version: str) -> tuple[int, int]:
    """Turn ``v1.10`` into ``(1, 10)``, so that it sorts after ``v1.9``.

    Raises:
        ValueError: If it is not of the form ``vMAJOR.MINOR``, the one that evalscope accepts.
    """
    major, minor = version.removeprefix('v').split('.')
    return int(major), int(minor)


def _checked(offer: Offer) -> Offer:
    """Fail an offer whose version cannot be compared: evalscope checks the form, but a plugin may get round that."""
    try:
        version_key(offer.version or 'v0.0')
    except (ValueError, AttributeError):
        return offer._replace(failure=f'its evaluation version {offer.version!r} is not of the form v1.2')
    return offer


def decide(offers: Sequence[Offer], builtin_module: str | None, builtin_version: str | None) -> list[Decision]:
    """Choose among the offers for one benchmark name.

    Those that failed or were left out are out. Of the others the highest version wins; when two are equally high none
    is used. The winner replaces a built-in only if its version is higher still.

    Args:
        offers: All offers for the name, from any number of distributions.
        builtin_module: Module of the benchmark evalscope itself has under the name; None if it has none.
        builtin_version: Its evaluation version.

    Returns:
        One decision an offer, in the same order; at most one is ``active``.
    """
    offers = [_checked(offer) for offer in offers]
    sound = [offer for offer in offers if offer.version and not offer.failure and not offer.left_out]
    versions = {offer: version_key(offer.version or '') for offer in sound}
    highest = max(versions.values(), default=None)
    best = [offer for offer, version in versions.items() if version == highest]

    def judge(offer: Offer) -> tuple[Status, str]:
        if offer.left_out and not offer.failure:
            return 'left out', offer.left_out
        if offer not in versions:
            return 'failed', offer.failure or 'it has no version'
        if offer not in best:
            return 'refused', f'{best[0].version} of {best[0].claim.owner} is higher'
        if len(best) > 1:
            owners = ' and '.join(sorted(rival.claim.owner for rival in best))
            return 'refused', f'{owners} claim the name with the same version; uninstall all but one of them'
        if builtin_version is not None and versions[offer] <= version_key(builtin_version):
            relation = 'the same' if versions[offer] == version_key(builtin_version) else 'higher'
            return 'kept built-in', f"the built-in's version is {relation}"
        return 'active', ''

    return [offer.claim.decision(*judge(offer), offer.version, builtin_module, builtin_version) for offer in offers]
