/** openapi-generator, fetched once by Maven; the clients that it writes of our document. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../dev/machine/cache.ts'

const run = promisify(execFile)
const OUTPUT_BYTES_MAX = 64_000_000 // it says much of a document of this size

const JAR = {
  artifact: 'org.openapitools:openapi-generator-cli:7.14.0',
  path: 'org/openapitools/openapi-generator-cli/7.14.0/openapi-generator-cli-7.14.0.jar',
  sha256: 'e03186835022ca02da4aa95e3967b6a3b6d44c2e5f7606e6d5c22466f519c757',
} as const
const GET = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:get'

export type Language = 'go' | 'java' | 'python'

/** A program that is ready to run: command and first arguments. */
export type Program = { readonly command: string; readonly args: readonly string[]; readonly cwd: string }

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

const repository = (): string => join(cacheFolder(), 'generators')

/** Fetches the jar into the cache of the project unless it is there. Throws if it is another one. */
function fetchJar(): string {
  const jar = join(repository(), JAR.path)
  if (!existsSync(jar)) {
    mkdirSync(cacheFolder(), { recursive: true })
    const options = [`-Dartifact=${JAR.artifact}`, '-Dtransitive=false', `-Dmaven.repo.local=${repository()}`]
    execFileSync('mvn', ['-B', '-q', GET, ...options], { stdio: 'inherit', cwd: cacheFolder() })
  }
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex')
  if (found !== JAR.sha256) throw new Error(`${jar} is not the pinned one: its SHA-256 is ${found}`)
  return jar
}

/** Runs a tool. Throws with all that it said if it fails. */
async function runTool(command: string, args: readonly string[], cwd: string): Promise<string> {
  const done = await run(command, args, { cwd, maxBuffer: OUTPUT_BYTES_MAX }).catch(
    (error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}: ${error.stdout.slice(-5000)}${error.stderr.slice(-5000)}`)
    },
  )
  return done.stdout
}

/** Generates the client of a language into the folder `out`, as the guide says. */
async function generate(language: Language, out: string): Promise<void> {
  const options = ['-i', resolve('openapi.json'), '-g', language, '-o', out]
  const config = resolve(`clients/openapi-generator/${language}.yaml`)
  await runTool('java', ['-jar', fetchJar(), 'generate', ...options, '-c', config], cacheFolder())
}

const program = (name: string, folder: string): void =>
  copyFileSync(join(import.meta.dirname, name), join(folder, name))

const MAKE: Readonly<Record<Language, (folder: string) => Promise<Program>>> = {
  go: async (folder) => {
    await generate('go', join(folder, 'bfs'))
    program('pay.go', folder)
    await runTool('go', ['mod', 'init', 'payment'], folder)
    await runTool('go', ['mod', 'tidy'], folder)
    await runTool('go', ['build', './...'], folder)
    await runTool('go', ['build', '-o', 'pay', '.'], folder)
    return { command: join(folder, 'pay'), args: [], cwd: folder }
  },
  java: async (folder) => {
    await generate('java', folder)
    program('Pay.java', folder)
    const maven = ['-B', '-q', `-Dmaven.repo.local=${repository()}`]
    await runTool('mvn', [...maven, 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], folder)
    const libraries = readFileSync(join(folder, 'classpath'), 'utf8').trim()
    return { command: 'java', args: ['-cp', `target/classes:${libraries}`, 'Pay.java'], cwd: folder }
  },
  python: async (folder) => {
    await generate('python', folder)
    program('pay.py', folder)
    await runTool('python3', ['-m', 'venv', 'own'], folder)
    const python = join(folder, 'own/bin/python')
    await runTool(python, ['-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'], folder)
    await runTool(python, ['-m', 'compileall', '-q', 'bfs'], folder)
    return { command: python, args: ['pay.py'], cwd: folder }
  },
}

/** Generates and compiles the client of a language. Returns the program of the first payment by it. */
export async function makeProgram(language: Language, folder: string): Promise<Program> {
  mkdirSync(folder, { recursive: true })
  return MAKE[language](folder)
}

export const runProgram = ({ command, args, cwd }: Program, more: readonly string[]): Promise<string> =>
  runTool(command, [...args, ...more], cwd)
