/** Runs a command, and answers its exit code. */
import { Command, CommanderError } from 'commander'
import { VERSION } from 'business-finance-client'
import { addOperationCommands } from './call.ts'
import { addHandMadeCommands } from './commands/index.ts'
import { type Context, type GlobalOptions, openContext } from './context.ts'
import { EXIT, Failure, outcomeOf } from './failures.ts'
import type { Io } from './io.ts'
import { makeLinesSafe } from './text.ts'

/** Makes the action of a command: opens its context, and keeps its exit code. */
export type Act = <Args extends unknown[]>(
  does: (context: Context, ...args: Args) => Promise<number | void>,
) => (...args: Args) => Promise<void>

/** Commands that do more than to send a request of the API. */
const ACTS_AT_ONCE: ReadonlySet<string> = new Set(['login', 'logout', 'mcp'])

/** Runs the command that the arguments name. Throws nothing but bugs. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done
  let context: Context | undefined
  const program = makeProgram(io, (does) => async (...args) => {
    const options = program.opts<GlobalOptions>()
    const [name = ''] = program.args
    if (options.dryRun && ACTS_AT_ONCE.has(name)) throw new Failure(EXIT.usage, `${name} has no dry run`)
    context = await openContext(io, options)
    code = (await does(context, ...args)) ?? EXIT.done
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const outcome = outcomeOf(error, context?.baseUrl ?? 'The service')
    context?.output.endProgress()
    if (outcome.message) io.stderr.write(`${io.stderr.isTTY ? makeLinesSafe(outcome.message) : outcome.message}\n`)
    return outcome.code
  }
}

/** Makes the tree of commands; their actions are made by `act`. */
export function makeProgram(io: Io, act: Act): Command {
  const program = new Command('bfs')
    .description('Prepares, watches and forwards at a business finance service. People approve.')
    .version(VERSION, '-V, --version', 'version of the API that this command knows')
    .option('--base-url <url>', 'address of the service (BFS_BASE_URL)')
    .option('--org <id>', 'organization (BFS_ORGANIZATION)')
    .option('--json', 'answer as JSON also on a terminal')
    .option('--dry-run', 'print the request, and send nothing')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, helpWidth: io.stdout.columns })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(io.stderr.isTTY ? makeLinesSafe(text) : text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused, 2 usage, 3 not signed in, 4 waits for a person, 5 unavailable.',
    )
  program.commandsGroup('By hand:')
  addHandMadeCommands(program, act)
  program.commandsGroup('Operations of the API:')
  addOperationCommands(program, act)
  return program
}
