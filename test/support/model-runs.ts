/** How many random walks a model test makes: a few in `npm test`, as many as MODEL_RUNS says in `npm run test:long`. */
export const modelRuns = (usual = 5): number => Number(process.env['MODEL_RUNS'] ?? usual)

/** Whether a test takes its time: in `npm run test:long`, where also what others stand for in `npm test` is met. */
export const fullScale = process.env['MODEL_RUNS'] !== undefined
