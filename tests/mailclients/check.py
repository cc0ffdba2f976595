"""Check all our mails against what mail programs can show, by the data of caniemail.com.

    mkdir /tmp/caniemail && echo '{}' >/tmp/caniemail/package.json && npm install --prefix /tmp/caniemail caniemail
    python tests/mailclients/check.py /tmp/caniemail

It needs Node.js and that one package, so it is no part of the test run. What it finds must be among the reviewed
features in allowed.json, each with the reason why our mails stay readable where it is missing.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from pbem.mail.writing.composer import Composer  # noqa: E402 - found by the line above
from tests.pbem.mail.writing.conftest import POST, parts, write_all  # noqa: E402 - the same


def main(home: str) -> int:
    """Print what is new or no longer needed; 1 if there is anything."""
    with tempfile.TemporaryDirectory() as folder:
        for name, mail in write_all(Composer(POST)).items():
            Path(folder, f"{name}.html").write_text(parts(mail)["text/html"], "utf-8")
        files = sorted(str(path) for path in Path(folder).glob("*.html"))
        asked = ["node", str(HERE / "check.mjs"), str(Path(home).resolve()), *files]
        lacking = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    allowed = json.loads((HERE / "allowed.json").read_text("utf-8"))
    found = {feature for kind in lacking.values() for feature in kind}
    for feature in sorted(found - allowed.keys()):
        where = {kind: each.get(feature, []) for kind, each in lacking.items()}
        sys.stdout.write(f"not reviewed: {feature} {where}\n")
    for feature in sorted(allowed.keys() - found):
        sys.stdout.write(f"no longer needed in allowed.json: {feature}\n")
    sys.stdout.write(f"{len(files)} mails, {len(found)} features that some program lacks\n")
    return int(found != allowed.keys())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
