"""Completion in PowerShell (Windows PowerShell 5.1 and 7), which click does not bring."""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

SOURCE = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $env:%(complete_var)s = "powershell_complete"
    $env:COMP_WORDS = $commandAst.ToString()
    $env:COMP_WORD = $wordToComplete
    try {
        %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_ -split "`t", 3
            if ($kind -eq "plain") {
                [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
            }
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD -ErrorAction SilentlyContinue
    }
}
"""


@add_completion_class
class PowerShell(ShellComplete):
    """The answer to the script above: a line `kind TAB value TAB help` for each offer."""

    name = "powershell"
    source_template = SOURCE

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        words = split_arg_string(os.environ["COMP_WORDS"])[1:]
        incomplete = os.environ.get("COMP_WORD", "")
        if incomplete and words and words[-1] == incomplete:
            words.pop()
        return words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return one offer."""
        return f"{item.type}\t{item.value}\t{item.help or item.value}"
