/** Bad days of a network, played at the requests of a visit by SFTP. */
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { type Fault, type PlannedFaults, type ProviderCall, passes } from '../planned-faults.ts'
import type { Deed, SftpSession } from './sftp-session.ts'

const { STATUS_CODE } = ssh2.utils.sftp

/** Faults of the way there and back. */
const ON_THE_WIRE: readonly Fault[] = [
  'request lost',
  'answer lost',
  'half an answer',
  'too slow',
  'takes a moment',
  'forbidden',
  'error before',
  'error after',
  'arrives twice',
  'absent',
]
const MOMENT_MS = 100

/** Names the call of a driver that a request is; null for one that no fault is planned for. */
function callOf({ request, path }: Deed): ProviderCall | null {
  if (request === 'rename') return 'order'
  if (request === 'read') return 'deposit'
  if (request !== 'list') return null
  return basename(path) === 'out' ? 'find' : 'other'
}

/** Makes the play of a session: what was planned for the call of each request. */
export const playFaults =
  (faults: PlannedFaults, disconnect: () => void) =>
  (session: SftpSession, id: number, deed: Deed): void => {
    const call = callOf(deed)
    if (call === null) session.answer(id, deed.act)
    else void play({ session, id, deed, call, faults, disconnect })
  }

type Scene = {
  readonly session: SftpSession
  readonly id: number
  readonly deed: Deed
  readonly call: ProviderCall
  readonly faults: PlannedFaults
  readonly disconnect: () => void
}

async function play({ session, id, deed: { act, half }, call, faults, disconnect }: Scene): Promise<void> {
  const held = faults.arrive(call)
  if (held?.when === 'before' && !(await passes(held))) return disconnect()
  const fault = faults.next(call, (one) => ON_THE_WIRE.includes(one))
  if (held?.when === 'after') {
    const reply = session.attempt(id, act)
    return (await passes(held)) ? reply() : disconnect()
  }
  if (fault === 'takes a moment') await delay(MOMENT_MS)
  switch (fault) {
    case undefined:
    case 'takes a moment':
      return session.answer(id, act)
    case 'request lost':
      return disconnect()
    case 'half an answer':
      if (half) return half()
      session.attempt(id, act)
      return disconnect()
    case 'answer lost':
      session.attempt(id, act)
      return disconnect()
    case 'too slow':
      return void session.attempt(id, act) // the client gives up
    case 'forbidden':
      return session.status(id, STATUS_CODE.PERMISSION_DENIED)
    case 'error after':
      session.attempt(id, act)
      return session.status(id, STATUS_CODE.FAILURE)
    case 'arrives twice':
      session.attempt(id, act)
      return session.answer(id, act)
    case 'absent':
      return session.openEmptyList(id)
    default: // 'error before'
      return session.status(id, STATUS_CODE.FAILURE)
  }
}
