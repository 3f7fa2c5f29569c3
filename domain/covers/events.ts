/** Events of covers. */
import { moveTypes, says } from '../event-type.ts'
import { coverFlow } from './flow.ts'

export const coverMoves = moveTypes(coverFlow, {
  close: says('The rates desk trades what an exchange opened in our own position.'),
})
