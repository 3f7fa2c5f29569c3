/** Export: orders a file, waits until it is made, and downloads it. */
import type { NewExport } from 'business-finance-client'
import { type Command, Option } from 'commander'
import { writeBytes } from '../call.ts'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'

type Options = {
  readonly format: NonNullable<NewExport['format']>
  readonly from: string
  readonly to: string
  readonly currency?: string
  readonly size?: string
  readonly seed?: string
  readonly output?: string
}

const SAMPLE_SIZE = '25'

const LOOK_MS = 500

export function addExport(program: Command, act: Act): void {
  program
    .command('export')
    .description('make a statement or list, and download it')
    .argument('<type>', 'balance_statement, expenses, transactions or audit_pack')
    .addOption(
      new Option('--format <format>')
        .choices(['csv', 'xlsx', 'pdf', 'camt053', 'camt054', 'mt940', 'ofx'])
        .default('csv'),
    )
    .requiredOption('--from <day>', 'first day or instant')
    .requiredOption('--to <day>', 'last day or instant')
    .option('--currency <currency>', 'only this currency')
    .option('--size <items>', 'items of each list of an audit pack', SAMPLE_SIZE)
    .option('--seed <words>', "auditor's words that draw the items of an audit pack")
    .option('-o, --output <file>', 'file to write; else it goes into the pipe')
    .action(act(exportFile))
}

async function exportFile(context: Context, type: NewExport['type'], options: Options): Promise<number> {
  const { client, output, io } = context
  if (!options.output && io.stdout.isTTY) throw new Failure(EXIT.usage, 'This is a file: give -o <file>')
  const order = orderOf(type, options)
  let made = await client.createExport({ organization_id: context.organization(), ...order })
  while (made.status === 'pending') {
    output.progress(`making  ${made.rows_processed} of ${made.rows_total ?? '?'} rows`)
    await io.pause(LOOK_MS)
    made = await client.getExport({ export_id: made.id }, { signal: io.signal })
  }
  output.endProgress()
  if (!made.download_url) throw new Failure(EXIT.refused, `The export failed: bfs exports get ${made.id}`)
  const body = await client.download(made.download_url)
  await writeBytes(context, new Response(body), options.output)
  return EXIT.done
}

/** Builds the order of a file: an audit pack has a sample, everything else a format. */
function orderOf(type: NewExport['type'], { format, from, to, currency, size, seed }: Options): NewExport {
  if (type !== 'audit_pack') return { type, format, from, to, ...(currency && { currency }) }
  if (!seed) throw new Failure(EXIT.usage, "An audit pack has the auditor's words: give --seed <words>")
  return { type, from, to, sample: { size: Number(size ?? SAMPLE_SIZE), seed } }
}
