/** `npm run client`: writes into go.yaml the names of models that Go would mix up with its constructors. */
import { readFileSync, writeFileSync } from 'node:fs'

const CONFIGURATION = new URL('go.yaml', import.meta.url)
const BEGIN = 'modelNameMappings: # NewPayment is the function that makes a Payment, in Go\n'
const END = 'globalProperties:\n'

type Document = { readonly components: { readonly schemas: Readonly<Record<string, object>> } }

/** Puts a name for each model `NewX` into the configuration. */
export function nameModels(configuration: string, { components }: Document): string {
  const [before = '', rest = ''] = configuration.split(BEGIN)
  const after = rest.slice(rest.indexOf(END))
  const names = Object.keys(components.schemas).filter((name) => /^New[A-Z]/.test(name))
  const lines = names.toSorted().map((name) => `  ${name}: ${name.slice('New'.length)}Input\n`)
  return `${before}${BEGIN}${lines.join('')}${after}`
}

if (process.argv[1]?.endsWith('generate.ts')) {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
  writeFileSync(CONFIGURATION, nameModels(readFileSync(CONFIGURATION, 'utf8'), document))
}
