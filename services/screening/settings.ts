/** Connection that compares names with lists; without one nothing is screened. */
import { config } from '../../platform/config.ts'
import { type Connection, isOfDriver } from '../../platform/connections.ts'
import type { ListsSettings } from '../../platform/drivers/lists.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { ListCode } from '../../domain/screening/lists.ts'

/** The connection that gets new questions; null without one. A closed one gets none, and its answers hold. */
export const SCREENING: Connection | null = config.partners.screening

/** Tells if payees may be held: also by what was decided at a connection that is closed by now. */
export const isScreened: boolean = SCREENING !== null

/** Tells if new names are compared with lists. */
export const asksNewNames: boolean = SCREENING !== null && !SCREENING.closed

/** A connection whose lists are files that an operator keeps fresh. */
export type ListConnection = Connection<ListsSettings>

export const LIST_CONNECTIONS: readonly ListConnection[] = config.connections.filter((one) => isOfDriver(one, 'lists'))

export const findListConnection = (name: ConnectionName): ListConnection | undefined =>
  LIST_CONNECTIONS.find((one) => one.name === name)

/** Lists the lists of a connection, with the paths of their files. */
export const listsOf = ({ settings }: ListConnection): readonly (readonly [list: ListCode, path: string])[] =>
  Object.entries(settings.paths) as [ListCode, string][] // Object.entries() forgets which keys they are
