/** Completion of words in a shell: a script for the shell, which asks the command. */
import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'
import type { Act } from '../run.ts'

const SCRIPTS = {
  bash: `_bfs() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(bfs complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bfs bfs`,
  zsh: `#compdef bfs
_bfs() {
  local -a found
  found=("\${(@f)$(bfs complete -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -- $found || _files
}
compdef _bfs bfs`,
  fish: `complete -c bfs -a '(bfs complete -- (commandline -opc)[2..] 2>/dev/null)'`,
} as const

export function addCompletion(program: Command, act: Act): void {
  program
    .command('completion')
    .description('print the script that completes words in a shell: source <(bfs completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action(act(async ({ output }: Context, shell: keyof typeof SCRIPTS) => output.line(SCRIPTS[shell])))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(
      act(async ({ output }: Context, words: readonly string[]) => {
        output.line(listNext(program, words).join('\n'))
      }),
    )
}

/** Lists the words that can follow: commands below the one that was named, else its options. */
function listNext(program: Command, words: readonly string[]): string[] {
  let command = program
  for (const word of words) command = command.commands.find((one) => one.name() === word) ?? command
  const below = command.createHelp().visibleCommands(command)
  const options = [command, program].flatMap((one) => one.options.map(({ long }) => long ?? ''))
  return below.length > 0 ? below.map((one) => one.name()) : [...new Set(options)].filter(Boolean)
}
