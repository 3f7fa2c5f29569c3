/** docs/event-types.md: every type of event, from the catalogue. */
import type { EventType } from '../../domain/event-type.ts'
import { CATALOGUE } from '../../domain/registries/event-types.ts'

const STREAMS = [...new Set(CATALOGUE.map(({ stream }) => stream))]

export const eventTypesPage = (): string => `# Event types

\`npm run docs:states\` writes this page from the catalogue in
[domain/registries/event-types.ts](../domain/registries/event-types.ts); \`npm run check:rules\` fails if it is not up to
date. There are ${CATALOGUE.length} types. \`GET /meta/event-types\` answers each with the JSON Schema of its payload, and the OpenAPI
document has them under \`webhooks\`. A type that is marked as evidence says what was found, not what was done. What an event
is, and how they follow from each other: [events.md](events.md).
${STREAMS.map((stream) => section(stream)).join('')}`

const section = (stream: string): string => `
## ${stream}

| type | when | payload |
|---|---|---|
${CATALOGUE.filter((one) => one.stream === stream)
  .map(
    (one) =>
      `| \`${one.type}\` | ${one.description}${one.kind === 'evidence' ? ' Evidence.' : ''} | ${membersOf(one)} |`,
  )
  .join('\n')}
`

function membersOf({ payload }: EventType): string {
  const isOptional = payload.type === 'nullable' && 'wrapped' in payload
  const { entries } = (isOptional ? payload.wrapped : payload) as { entries?: object } // an object schema has entries
  const names = Object.keys(entries ?? {}).map((name) => `\`${name}\``)
  return names.length === 0 ? '' : `${names.join(', ')}${isOptional ? ', or none' : ''}`
}
