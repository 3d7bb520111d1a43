import { userInfo } from 'node:os'
import { type Actor, atCommandLine } from '../access/actor.ts'

/** Whoever runs this command. A user id without a name, as containers have, is nobody in particular. */
export function commandLineActor(): Actor {
  try {
    return atCommandLine(userInfo().username)
  } catch {
    return atCommandLine(null)
  }
}
