/** Marks every process of a run for the runner; its value is the folder of the run. */
export const RUN_MARKER = 'TEST_RUN'
/** Marks a process that serves several files of a worker; the runner ends it without calling it a leftover. */
export const SHARED_MARKER = 'TEST_RUN_SHARED'
