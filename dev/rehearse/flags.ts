/** Flags of a rehearsal, as in `--rate 5`. */
import { parseArgs } from 'node:util'

import { CannotStart } from '../terminal.ts'

export type Flags = {
  /** Offered payments a second. */
  readonly rate: number
  /** Reads beside each payment. */
  readonly reads: number
  /** Seconds of load before and after the event that is rehearsed. */
  readonly quiet: number
  /** Seconds between the stages of a ramp. */
  readonly pause: number
  readonly payers: number
  /** Commit of the old build; undefined for the present sources under another id. */
  readonly from: string | undefined
}

const DEFAULTS = { rate: '5', reads: '2', quiet: '20', pause: '15', payers: '8' }

export const USAGE = `npm run rehearse -- deploy|restore|rotate-keys [flags]
  --rate <payments a second> --reads <reads beside each> --quiet <seconds before and after> --payers <organizations>
  --pause <seconds between stages>   deploy: the pause of the ramp
  --from <commit>                    deploy: the code of the old build; default: the present sources`

/** Parses the flags. Throws CannotStart for one that is unknown or no number. */
export function readFlags(args: readonly string[]): { name: string | undefined; flags: Flags } {
  try {
    const string = { type: 'string' } as const
    const options = { rate: string, reads: string, quiet: string, pause: string, payers: string, from: string }
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const number = (name: keyof typeof DEFAULTS): number => {
      const found = Number(values[name] ?? DEFAULTS[name])
      if (!(found >= 0)) throw new Error(`--${name} takes a number`)
      return found
    }
    const flags = { rate: number('rate'), reads: number('reads'), quiet: number('quiet'), pause: number('pause') }
    return { name: positionals[0], flags: { ...flags, payers: Math.max(1, number('payers')), from: values.from } }
  } catch (error) {
    throw new CannotStart(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}
