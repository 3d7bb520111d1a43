/** Processes that tests started; test/support/end-children.ts ends them with the test file. */
const running = new Set<Bun.Subprocess>()

export function endWithFile<Child extends Bun.Subprocess>(child: Child): Child {
  running.add(child)
  void child.exited.finally(() => running.delete(child))
  return child
}

export async function endChildren(): Promise<void> {
  const children = [...running]
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map((child) => child.exited))
}
