/** Callbacks that this process has refused, by connection: forged ones, and such as cannot be read. */
import type { ConnectionName } from '../../domain/partner.ts'

const refused = new Map<ConnectionName, number>()

export const noteRefused = (connection: ConnectionName): void => {
  refused.set(connection, countRefused(connection) + 1)
}

/** Counts the refused callbacks since the start of this process. */
export const countRefused = (connection: ConnectionName): number => refused.get(connection) ?? 0
