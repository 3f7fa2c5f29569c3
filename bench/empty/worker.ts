import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'

Runtime.install({ logger: new DefaultLogger('ERROR') })

const connection = await NativeConnection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
  grpcCompression: { codec: 'none' },
})
const worker = await Worker.create({
  connection,
  taskQueue: 'empty',
  workflowsPath: fileURLToPath(new URL('./workflow.js', import.meta.url)),
  stickyQueueScheduleToStartTimeout: '2 seconds',
})
process.on('SIGTERM', () => worker.shutdown())
const finished = worker.run()
console.log('worker ready')
await finished
