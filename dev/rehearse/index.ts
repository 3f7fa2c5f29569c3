/** `npm run rehearse -- <name>`: a deployment or a disaster, done for real on this machine, and reported. */
import { CannotStart } from '../terminal.ts'
import { type Flags, USAGE, readFlags } from './flags.ts'
import { rehearseDeploy } from './deploy.ts'
import { rehearseRestore } from './restore.ts'
import { Report } from './report.ts'
import { rehearseRotation } from './rotate-keys.ts'

const REHEARSALS: Readonly<Record<string, (report: Report, flags: Flags) => Promise<void>>> = {
  deploy: rehearseDeploy,
  restore: rehearseRestore,
  'rotate-keys': rehearseRotation,
}

// all that was started is held by temporary folders, which end with this process
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

try {
  const { name = '', flags } = readFlags(process.argv.slice(2))
  const rehearse = Object.hasOwn(REHEARSALS, name) ? REHEARSALS[name] : undefined
  if (!rehearse) throw new CannotStart(USAGE)
  const report = new Report(name)
  await rehearse(report, flags)
  report.print()
  process.exit(report.holds() ? 0 : 1)
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exit(1)
}
