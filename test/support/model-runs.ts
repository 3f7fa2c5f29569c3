/** How many random walks a model test makes: a few in `npm test`, as many as MODEL_RUNS says in `npm run test:long`. */
export const modelRuns = (usual = 8): number => Number(process.env['MODEL_RUNS'] ?? usual)

/** Whether every cell of a matrix is met, those too that others of its row stand for: in `npm run test:long`. */
export const wholeMatrix = process.env['MODEL_RUNS'] !== undefined
