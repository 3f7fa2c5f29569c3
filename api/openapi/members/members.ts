/** Descriptions of members that many schemas have, by their names: a name means the same everywhere. */
import { money } from './money.ts'
import { parameters } from './parameters.ts'
import { people } from './people.ts'

/** Dictionary of members that their schema does not describe by itself. */
export const MEMBERS: Readonly<Record<string, string>> = { ...people, ...money }

/** Describes a parameter of a path or query. */
export const describeParameter = (name: string): string | undefined => parameters[name] ?? MEMBERS[name]
