/** docs/states.md: a diagram of each flow. */
import { type Flow, finalStates } from '../../domain/flow.ts'
import { FLOWS, PROCESSES } from '../../domain/registries/flows.ts'

const HEAD = `# States

\`npm run docs:states\` writes this page from the \`flow.ts\` of each room of [domain/](../domain); \`npm run check:rules\` fails
if it is not up to date. An arrow is an event of the flow: only \`transition()\`, and \`move()\` for rows that have no log
([db/processes/transition.ts](../db/processes/transition.ts)), follow one. A filled state is driven: while a row
is in it, the row has a process and a workflow ([processes.md](processes.md)), whose file tells what happens in it. A
state without a way out is final.`

export const statesPage = (): string => [HEAD, ...FLOWS.map(section), ''].join('\n\n')

function section(flow: Flow): string {
  const { noun, table, driven, asksPeople, workflow } = flow
  const title = noun.charAt(0).toUpperCase() + noun.slice(1).replaceAll('_', ' ')
  const drives = driven.length > 0 ? `, driven by the workflow [${workflow}](../workflows/${fileOf(flow)})` : ''
  const people = asksPeople.length > 0 ? ` Waits for people: ${asksPeople.map(code).join(', ')}.` : ''
  return `## ${title}\n\n${wrap(`Table \`${table}\`${drives}.${people}`)}\n\n${diagram(flow)}\n\n${describeLog(flow)}`
}

function fileOf({ workflow }: Flow): string {
  const [name = ''] = Object.entries<Flow>(PROCESSES).find(([, flow]) => flow.workflow === workflow) ?? []
  return `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
}

function diagram(flow: Flow): string {
  const { events, driven } = flow
  const arrows = Object.entries(events).flatMap(([name, { from, to }]) =>
    from.map((one) => `  ${one} --> ${to}: ${name}`),
  )
  const ends = finalStates(flow).map((state) => `  ${state} --> [*]`)
  const filled = driven.length > 0 ? ['  classDef driven fill:#cde', `  class ${driven.join(', ')} driven`] : []
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, ...filled, '```'].join('\n')
}

function describeLog({ noun, events, logged: isLogged }: Flow): string {
  if (!isLogged) return 'Its events are not in the log.'
  const words = Object.entries(events).map(([name, { logs }]) => `\`${name}\` → \`${noun}.${logs}\``)
  return wrap(`In the log: ${words.join(', ')}.`)
}

const WIDTH = 125

const wrap = (text: string): string =>
  text.split(' ').reduce((page, word) => {
    const last = page.slice(page.lastIndexOf('\n') + 1)
    return page === '' ? word : `${page}${last.length + 1 + word.length > WIDTH ? '\n' : ' '}${word}`
  }, '')

const code = (word: string): string => `\`${word}\``
