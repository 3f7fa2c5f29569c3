/** openapi-generator, fetched once by Maven, and the clients that it writes of our document. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../machine/cache.ts'

const run = promisify(execFile)
const OUTPUT_BYTES_MAX = 64_000_000 // it says much of a document of this size

const JAR = {
  artifact: 'org.openapitools:openapi-generator-cli:7.14.0',
  path: 'org/openapitools/openapi-generator-cli/7.14.0/openapi-generator-cli-7.14.0.jar',
  sha256: 'e03186835022ca02da4aa95e3967b6a3b6d44c2e5f7606e6d5c22466f519c757',
} as const
const GET = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:get'

export type Language = 'go' | 'java' | 'python'

const CONFIGURATIONS: Readonly<Record<Language, string>> = {
  go: 'clients/openapi-generator/go.yaml',
  java: 'clients/openapi-generator/java.yaml',
  python: 'clients/python/openapi-generator.yaml',
}

const TOOLS: Readonly<Record<Language, readonly string[]>> = {
  go: ['java', 'mvn', 'go'],
  java: ['java', 'mvn'],
  python: ['java', 'mvn', 'python3'],
}

const has = (command: string): boolean => spawnSync(command, ['-version'], { stdio: 'ignore' }).error === undefined

/** Says why no client of the language can be made on this machine; null if one can. */
export function findObstacle(language: Language): string | null {
  const missing = TOOLS[language].filter((command) => !has(command))
  return missing.length > 0 ? `${missing.join(' and ')} not installed` : null
}

/** Names the repository of Maven for generators and generated clients: in the project's cache. */
export const mavenRepository = (): string => join(cacheFolder(), 'generators')

/** Fetches the jar into the cache of the project unless it is there. Throws if it is another one. */
function fetchJar(): string {
  const jar = join(mavenRepository(), JAR.path)
  if (!existsSync(jar)) {
    mkdirSync(cacheFolder(), { recursive: true })
    const options = [`-Dartifact=${JAR.artifact}`, '-Dtransitive=false', `-Dmaven.repo.local=${mavenRepository()}`]
    execFileSync('mvn', ['-B', '-q', GET, ...options], { stdio: 'inherit', cwd: cacheFolder() })
  }
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex')
  if (found !== JAR.sha256) throw new Error(`${jar} is not the pinned one: its SHA-256 is ${found}`)
  return jar
}

/** Runs a tool. Throws with the end of all that it said if it fails. */
export async function runTool(command: string, args: readonly string[], cwd: string): Promise<string> {
  const done = await run(command, args, { cwd, maxBuffer: OUTPUT_BYTES_MAX }).catch(
    (error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}: ${error.stdout.slice(-5000)}${error.stderr.slice(-5000)}`)
    },
  )
  return done.stdout
}

/** Generates the client of a language into the folder `out`, as its configuration says. */
export async function generateClient(language: Language, out: string): Promise<void> {
  const options = ['-i', resolve('openapi.json'), '-g', language, '-o', out]
  const config = resolve(CONFIGURATIONS[language])
  await runTool('java', ['-jar', fetchJar(), 'generate', ...options, '-c', config], cacheFolder())
}
