"""Tables of games as Parquet, by DuckDB. It comes with the extra `archive`, and is loaded only here."""

from pathlib import Path
from typing import Final

from pbem.exchange.tables import TABLES

HOW_TO_GET: Final = (
    "Parquet is written by DuckDB; install it with `pip install 'caravan-post[archive]'`, or use --to csv"
)


def have_duckdb() -> bool:
    """Whether DuckDB is installed."""
    from importlib.util import find_spec

    return find_spec("duckdb") is not None


def write_parquet(table: str, csv: Path, parquet: Path) -> int:
    """Make one table's Parquet file of its CSV file; how many rows it has, as read back from the new file."""
    import duckdb  # 68 MB, and nothing else needs it

    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in TABLES[table].items())
    with duckdb.connect(":memory:") as database:
        database.execute(
            f"COPY (SELECT * FROM read_csv(?, header = true, columns = {{{columns}}}, nullstr = '', "  # noqa: S608 - our own names
            "quote = '\"', escape = '\"', allow_quoted_nulls = false, auto_detect = false, delim = ',')) "
            f"TO '{str(parquet).replace(chr(39), chr(39) * 2)}' (FORMAT parquet, COMPRESSION zstd)",
            [str(csv)],
        )
        found = database.execute("SELECT count(*) FROM read_parquet(?)", [str(parquet)]).fetchone()
    return int(found[0]) if found else 0
