/** All situations, in the order in which they happen. */
import type { Situation } from '../situation.ts'
import { accounts } from './accounts.ts'
import { answers } from './answers.ts'
import { callbacks } from './callbacks.ts'
import { cancellations } from './cancellations.ts'
import { changes } from './changes.ts'
import { deposits } from './deposits.ts'
import { files } from './files.ts'
import { instant } from './instant.ts'
import { kills } from './kills.ts'
import { lists } from './lists.ts'
import { races } from './races.ts'
import { restores } from './restores.ts'

/** Leaves out situations of calls for a provider that gets none. */
const byCalls = (situations: readonly Situation[]): readonly Situation[] =>
  situations.map((one) => ({ ...one, isPossible: (can) => !can.files && one.isPossible(can) }))

export const SITUATIONS: readonly Situation[] = [
  ...byCalls(answers),
  ...byCalls(races),
  ...byCalls(changes),
  ...byCalls(cancellations),
  ...byCalls(callbacks),
  ...byCalls(deposits),
  ...byCalls(accounts),
  ...byCalls(lists),
  ...byCalls(restores),
  ...byCalls(instant),
  ...byCalls(kills),
  ...files,
]
