import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

type WheelFile = { readonly name: string; readonly text: string }

type Project = {
  readonly name: string
  readonly version: string
  readonly summary: string
  readonly license: string
  readonly requiresPython: string
  readonly dependencies: readonly string[]
  readonly readme: string
}

/** The name and content of a wheel of pure Python (PEP 427); reproducible, because it contains no time. */
export function buildWheel(project: Project, modules: readonly WheelFile[]): { name: string; bytes: Uint8Array } {
  const distribution = `${project.name.replaceAll('-', '_')}-${project.version}`
  const info = `${distribution}.dist-info`
  const files = [
    ...modules,
    { name: `${info}/METADATA`, text: metadataOf(project) },
    {
      name: `${info}/WHEEL`,
      text: 'Wheel-Version: 1.0\nGenerator: device-intelligence\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    },
  ]
  const record = [...files.map(recordLine), `${info}/RECORD,,`, ''].join('\n')
  return {
    name: `${distribution}-py3-none-any.whl`,
    bytes: zip([...files, { name: `${info}/RECORD`, text: record }]),
  }
}

function metadataOf({ name, version, summary, license, requiresPython, dependencies, readme }: Project): string {
  const fields = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    `License: ${license}`,
    `Requires-Python: ${requiresPython}`,
    ...dependencies.map((dependency) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
  ]
  return `${fields.join('\n')}\n\n${readme}`
}

function recordLine({ name, text }: WheelFile): string {
  const bytes = Buffer.from(text)
  return `${name},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`
}

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const ZIP_VERSION = 20
const UTF8_NAMES = 0x800
/** 1 January 1980, the first day that the format can express. */
const DATE = 0x21
const REGULAR_FILE_0644 = 0o100644 << 16

/** A zip archive of stored files: the wheel is small, and Python reads it as fast as a compressed one. */
function zip(files: readonly WheelFile[]): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text } of files) {
    const [nameBytes, content] = [Buffer.from(name), Buffer.from(text)]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(LOCAL_HEADER, 0)
    writeFileFields(local, 4, nameBytes, content)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(CENTRAL_HEADER, 0)
    // Made on Unix, so that the permissions below apply.
    central.writeUInt16LE((3 << 8) | ZIP_VERSION, 4)
    writeFileFields(central, 6, nameBytes, content)
    central.writeUInt32LE(REGULAR_FILE_0644 >>> 0, 38)
    central.writeUInt32LE(offset, 42)
    directory.push(central, nameBytes)
    parts.push(local, nameBytes, content)
    offset += local.length + nameBytes.length + content.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END_OF_DIRECTORY, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directoryBytes, end])
}

/** The fields that the local and the central header of a file share. */
function writeFileFields(header: Buffer, at: number, name: Buffer, content: Buffer): void {
  header.writeUInt16LE(ZIP_VERSION, at)
  header.writeUInt16LE(UTF8_NAMES, at + 2)
  header.writeUInt16LE(DATE, at + 8)
  header.writeUInt32LE(crc32(content), at + 10)
  header.writeUInt32LE(content.length, at + 14)
  header.writeUInt32LE(content.length, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}
