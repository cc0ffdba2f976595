"""`pbem key`: the public key of a post."""

from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, load_settings
from pbem.terminal.report import Report


def key(*, config: Config = None, json: AsJson = False) -> None:
    """Print the public key of the post.

    Receipts, checkpoints and records are signed with the other half. Publish it where players find it: with it
    `pbem verify --key` tells what the post has signed from what it has not.
    """
    from pbem.service.post_folder import find_signer, why_no_signing

    report = Report(json=json)
    settings = load_settings(config, report)
    if (why := why_no_signing(settings)) is not None:
        report.give_up(why)
    signer = find_signer(settings)
    if signer is None:
        report.give_up("there is no key to sign with; name its file in post.signing_key_file")
    report.add({"post": signer.name, "id": signer.key_id, "public": signer.public.hex()})
    report.say(signer.public.hex())
    report.end()
