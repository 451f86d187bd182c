"""Game records in files: the commands `replay`, `show` and `verify`.

Files, standard streams and exit codes live here; what a record means is decided in the core, which is all that this
package imports of the project.
"""

from tgavalon.records.commands import add_commands, replay, show, verify

__all__ = ["add_commands", "replay", "show", "verify"]
