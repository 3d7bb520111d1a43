import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DurableKind, loseNothing } from '../support/kills.ts'
import { runProgram } from '../support/program.ts'

/**
 * Simulates a power cut: the database lies on its own ext4 image, which is shut down at once (the ioctl of xfstests' `godown`), so that everything
 * not yet written to the device is lost, journal included. Then it is mounted again as after a crash. A device that loses its own cache is not
 * covered; test/process/disk counts the syncs of each lookup instead.
 */

/** `POWER_CUTS=200` for the long run. */
const requestedCuts = process.env.POWER_CUTS
const CUTS = Number(requestedCuts ?? 3)
const IMAGE_MB = Math.max(96, CUTS * 2)
/** EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32), with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const GO_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))`

const folder = mkdtempSync(join(tmpdir(), 'di-power-'))
const image = join(folder, 'disk.img')
const disk = join(folder, 'disk')
mkdirSync(disk)
afterAll(() => {
  Bun.spawnSync(['umount', '-l', disk])
  rmSync(folder, { recursive: true, force: true })
})

/** Why the command failed, or nothing. */
function failure(name: string, ...args: string[]): string | undefined {
  const command = Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` })
  if (!command) return `there is no ${name}`
  const { exitCode, stderr } = Bun.spawnSync([command, ...args], { stdout: 'ignore', stderr: 'pipe' })
  return exitCode === 0 ? undefined : `${name}: ${stderr.toString().trim() || exitCode}`
}
const mount = () => failure('mount', '-o', 'loop', image, disk)
const cutPower = () => failure('python3', '-c', GO_DOWN, disk)

const whyNot =
  failure('truncate', '-s', `${IMAGE_MB}M`, image) ??
  failure('mkfs.ext4', '-q', '-F', image) ??
  mount() ??
  cutPower() ??
  failure('umount', disk)

// Mounting an image depends on the kernel and the container, not on installed packages. Where it is not allowed, this test is skipped with a message,
// also with CI=true; the sync count in test/process/disk needs no image and always runs. With POWER_CUTS set the test fails instead of being skipped.
if (whyNot && requestedCuts) throw new Error(`No power can be cut here: ${whyNot}`)
if (whyNot) console.warn(`No power can be cut here (${whyNot}): the test of power cuts is left out.`)
else expectNothingLost()

function expectNothingLost(): void {
  const kind: DurableKind = {
    path: '/api/imei',
    bodyOf: (n) => ({ identifier: String(35_000_000_000_000 + n * 7_919) }),
    idOf: (record) => (record as { lookup_id: string }).lookup_id,
  }
  const settings = { DATA_DIR: join(disk, 'store'), SECRET_KEY: 'a key that is not on the disk' }
  const fault = {
    name: 'a power cut',
    async strike(program: { kill(signal: NodeJS.Signals): void; exited: Promise<number> }) {
      expect(cutPower()).toBeUndefined()
      program.kill('SIGKILL')
      await program.exited
      expect(failure('umount', disk)).toBeUndefined()
      expect(mount()).toBeUndefined()
      const checked = await runProgram(['status', '--check'], settings)
      expect(checked).toMatchObject({ code: 0, stderr: '' })
    },
  }
  test(
    `nothing acknowledged is lost over ${CUTS} power cuts under load, and the database is intact after each`,
    async () => {
      expect(mount()).toBeUndefined()
      await loseNothing(kind, CUTS, settings, fault)
    },
    240_000 + CUTS * 15_000,
  )
}
