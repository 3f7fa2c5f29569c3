import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import * as activities from './activities.ts'

Runtime.install({ logger: new DefaultLogger('ERROR') })

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233' }),
  taskQueue: 'naive',
  workflowsPath: fileURLToPath(new URL('./workflow.js', import.meta.url)),
  activities,
})
process.on('SIGTERM', () => worker.shutdown())
const finished = worker.run()
console.log('worker ready')
await finished
process.exit() // its pool would hold it
