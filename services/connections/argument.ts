/** Connections and reasons as operators type them. */
import * as v from 'valibot'
import { CONNECTION_NAME, type ConnectionName } from '../../domain/partner.ts'
import { line } from '../../domain/text.ts'
import { type Argument, word } from '../../platform/commands.ts'

export const connection: Argument<ConnectionName> = word('<name>', CONNECTION_NAME)

const WORDS = line(1, 255)

/** Reads `--reason` and the words after it. */
export const why: Argument<string> = {
  name: '--reason <reason>',
  rest: true,
  read: (given) => {
    const said = /^--reason (.+)$/.exec(given)?.[1]
    return said !== undefined && v.is(WORDS, said) ? said : undefined
  },
}
