/** Official validators, fetched once by Maven: veraPDF, and the rules of EN 16931, XRechnung and Factur-X. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cacheFolder } from '../../../dev/machine/cache.ts'

/**
 * One jar that contains all of them. Its SHA-256 pins veraPDF 1.30.2, the rules of CEN 1.3.16, XRechnung 3.0.2 and
 * Factur-X 1.09, and the schemas of UBL 2.1 and CII D16B.
 */
const JAR = {
  artifact: 'org.mustangproject:Mustang-CLI:2.26.0',
  path: 'org/mustangproject/Mustang-CLI/2.26.0/Mustang-CLI-2.26.0.jar',
  sha256: '42d7868cb68264874a7b8cab4c3587b03b23ccc7cd72373da917f66758bb9736',
} as const
/** Its option `transitive` reads no parent, which this jar's repository lacks; later versions of the plugin do. */
const GET = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:get'

/** Rules by which a document is checked. */
export type Kind = 'pdf' | 'factur-x' | 'cii' | 'ubl' | 'xrechnung'

const has = (command: string): boolean => spawnSync(command, ['-version'], { stdio: 'ignore' }).error === undefined

/** Says why the validators cannot run on this machine; null if they can. */
export function findObstacle(): string | null {
  const missing = ['java', 'mvn'].filter((command) => !has(command))
  return missing.length > 0 ? `${missing.join(' and ')} not installed` : null
}

/** Fetches the jar into the cache of the project unless it is there. Throws if it is another one. */
function fetchJar(): string {
  const repository = join(cacheFolder(), 'validators')
  const jar = join(repository, JAR.path)
  if (!existsSync(jar)) {
    const options = [`-Dartifact=${JAR.artifact}`, '-Dtransitive=false', `-Dmaven.repo.local=${repository}`]
    execFileSync('mvn', ['-B', '-q', GET, ...options], { stdio: 'inherit', cwd: cacheFolder() })
  }
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex')
  if (found !== JAR.sha256) throw new Error(`${jar} is not the pinned one: its SHA-256 is ${found}`)
  return jar
}

/** One process for all documents: it takes seconds to start. */
export class Validators {
  private readonly java: ChildProcess
  private readonly answers: AsyncIterator<string>

  constructor() {
    const source = join(import.meta.dirname, 'Validate.java')
    this.java = spawn('java', ['-Xmx1g', '-cp', fetchJar(), source], { stdio: ['pipe', 'pipe', 'ignore'] })
    if (!this.java.stdout) throw new Error('its output is a pipe')
    this.answers = createInterface({ input: this.java.stdout })[Symbol.asyncIterator]()
  }

  /** Validates a file. Returns the faults that the validators of its kind find. */
  async faultsOf(kind: Kind, file: string): Promise<string[]> {
    this.java.stdin?.write(`${kind}\t${file}\n`)
    const answer = await this.answers.next()
    if (answer.done) throw new Error('the validators have ended')
    return JSON.parse(answer.value) as string[] // written by Validate.java
  }

  end(): void {
    this.java.stdin?.end()
  }
}
