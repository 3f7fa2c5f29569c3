/** Report of a rehearsal: one table of figures, each with what was promised of it. */
import { cpus, loadavg, totalmem } from 'node:os'

type Line = { readonly what: string; readonly figure: string; readonly holds: boolean | undefined }

const FIGURE_MAX = 80
const FAULT_MAX = 400
const shorten = (text: string): string => (text.length > FIGURE_MAX ? `${text.slice(0, FIGURE_MAX - 1)}…` : text)

export class Report {
  private readonly lines: Line[] = []
  private readonly began = Date.now()

  constructor(private readonly name: string) {}

  /** Adds a figure that promises nothing. */
  note(what: string, figure: string | number): void {
    this.lines.push({ what, figure: String(figure), holds: undefined })
  }

  /** Adds a figure whose promise holds or not. */
  expect(what: string, figure: string | number, holds: boolean): void {
    const text = String(figure)
    this.lines.push({ what, figure: holds ? shorten(text) : text.slice(0, FAULT_MAX), holds })
  }

  holds(): boolean {
    return this.lines.every(({ holds }) => holds !== false)
  }

  /** Prints the table under a line with the date and the machine. */
  print(): void {
    const rows = [{ what: 'what', figure: 'figure', holds: undefined }, ...this.lines]
    const [what, figure] = (['what', 'figure'] as const).map((key) => Math.max(...rows.map((row) => row[key].length)))
    const line = (cells: readonly [string, string, string]) =>
      `| ${cells[0].padEnd(what ?? 0)} | ${cells[1].padEnd(figure ?? 0)} | ${cells[2].padEnd(5)} |`
    const gib = (totalmem() / 2 ** 30).toFixed(0)
    const load = (loadavg()[0] ?? 0).toFixed(1)
    console.log(`
${this.name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC; ${cpus().length} cores, ${gib} GiB, \
load ${load}, Node ${process.versions.node}; ${((Date.now() - this.began) / 1000).toFixed(0)} s

${line(['what', 'figure', 'holds'])}
|${'-'.repeat((what ?? 0) + 2)}|${'-'.repeat((figure ?? 0) + 2)}|-------|`)
    for (const row of this.lines)
      console.log(line([row.what, row.figure, row.holds === undefined ? '' : row.holds ? 'yes' : 'NO']))
    console.log(`\n${this.holds() ? 'Everything that it promises holds.' : 'A promise does not hold.'}`)
  }
}
