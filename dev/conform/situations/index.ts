/** All situations, in the order in which they happen. */
import type { Situation } from '../situation.ts'
import { accounts } from './accounts.ts'
import { answers } from './answers.ts'
import { callbacks } from './callbacks.ts'
import { cancellations } from './cancellations.ts'
import { changes } from './changes.ts'
import { deposits } from './deposits.ts'
import { fileKills } from './file-kills.ts'
import { files } from './files.ts'
import { instant } from './instant.ts'
import { kills } from './kills.ts'
import { lists } from './lists.ts'
import { races } from './races.ts'
import { restores } from './restores.ts'
import { returns } from './returns.ts'

export const SITUATIONS: readonly Situation[] = [
  ...answers,
  ...races,
  ...changes,
  ...returns,
  ...cancellations,
  ...callbacks,
  ...deposits,
  ...accounts,
  ...lists,
  ...restores,
  ...instant,
  ...kills,
  ...files,
  ...fileKills,
]
