/** Survey of the configuration: `admin live check` reads it in spite of its faults, and names each. */
import { UnusableConfiguration } from './live.ts'

/** True in `admin live check`, which goes on with what is wrong. */
const isSurvey = /\badmin\.[jt]s$/.test(process.argv[1] ?? '') && process.argv.slice(2, 4).join(' ') === 'live check'

/** Most rounds of a survey: each finds a fault that the one before has hidden. */
const ROUNDS_MAX = 50
/** Variables in a fault: its first word, and each other one with an underscore. */
const NAME = /^[A-Z][A-Z0-9_]+\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g
/** Address of a database that is not named: nothing is there. */
const NOWHERE = 'postgres://not-named.invalid/none'

type Parse<Read> = (env: NodeJS.ProcessEnv, options: { readonly judges: boolean }) => Read
type Survey<Read> = { readonly config: Read; readonly faults: readonly string[] }

/** Reads the configuration; throws for its faults, but in a survey. */
export const readConfiguration = <Read>(parse: Parse<Read>, env: NodeJS.ProcessEnv): Survey<Read> =>
  isSurvey ? surveyConfiguration(parse, env) : { config: parse(env, { judges: true }), faults: [] }

/**
 * Reads the configuration as live would, and again without what is wrong. Answers the second reading, of its own
 * environment, and the faults of the first. `parse` throws UnusableConfiguration; `judges` says if it refuses what live
 * refuses.
 */
export function surveyConfiguration<Read>(parse: Parse<Read>, env: NodeJS.ProcessEnv): Survey<Read> {
  const isNamed = Boolean(env['DATABASE_URL']?.trim())
  const placed = { ...env, ...(!isNamed && { DATABASE_URL: NOWHERE }), LOG_LEVEL: 'silent' }
  const live = { ...placed, SERVICE_ENV: 'live' }
  const notes: Notes = { faults: [], known: new Set() }
  if (env['SERVICE_ENV']?.trim() !== 'live') note(['SERVICE_ENV: must be live'], notes)
  if (!isNamed) note(['DATABASE_URL is required'], notes)
  collect(() => void parse(live, { judges: true }), live, notes)
  const usable: NodeJS.ProcessEnv = { ...placed }
  if (env['SERVICE_ENV']?.trim() !== 'live') usable['SERVICE_ENV'] = 'test'
  const config = collect(() => parse(usable, { judges: false }), usable, notes)
  if (config === undefined) throw new UnusableConfiguration(notes.faults.join('\n'))
  return { config, faults: notes.faults }
}

type Notes = { readonly faults: string[]; readonly known: Set<string> }

/** Reads until nothing is refused, and leaves out what is; undefined if nothing is left to leave out. */
function collect<Read>(read: () => Read, env: NodeJS.ProcessEnv, notes: Notes): Read | undefined {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof UnusableConfiguration)) throw error
      const names = note(error.faults, notes).filter((name) => env[name] !== undefined)
      if (names.length === 0) return undefined
      for (const name of names) delete env[name]
    }
  }
  return undefined
}

/** Notes faults, and answers their variables: what follows from leaving those out is no fault of its own. */
function note(found: readonly string[], { faults, known }: Notes): string[] {
  const named = found.map((fault) => ({ fault, names: fault.match(NAME) ?? [] }))
  faults.push(...named.flatMap(({ fault, names }) => (names.some((name) => known.has(name)) ? [] : [fault])))
  const all = named.flatMap(({ names }) => names)
  for (const name of all) known.add(name)
  if (known.has('PARTNERS_FILE')) known.add('BANK_URL').add('CUSTODIAN_URL')
  return all
}
