/** Made by `npm run plain` from the schemas, and not edited by hand. */
import { byType, either, exactObject, isAbsent, isAbsolutePath, isAny, isFlag, isName, isNumber, isText, listOf, looseObject, nullish, optional, type Check } from "../src/base/plain-value.ts";

export const PLAIN_REQUESTS: ReadonlyMap<string, Check> = new Map(Object.entries<Check>({
  initialize: looseObject({
    protocolVersion: either(isNumber, isText),
    clientCapabilities: optional(isAny),
  }),
  newSession: looseObject({
    cwd: isAbsolutePath,
    additionalDirectories: nullish(listOf(isAbsolutePath)),
    mcpServers: listOf(either(byType({
      http: {
        name: isName,
        url: isName,
        headers: listOf(exactObject({
          name: isName,
          value: isText,
        })),
      },
      sse: {
        name: isName,
        url: isName,
        headers: listOf(exactObject({
          name: isName,
          value: isText,
        })),
      },
    }), exactObject({
      type: optional(isAbsent),
      name: isName,
      command: isName,
      args: listOf(isText),
      env: listOf(exactObject({
        name: isName,
        value: isText,
      })),
    }))),
  }),
  existingSession: looseObject({
    cwd: isAbsolutePath,
    additionalDirectories: nullish(listOf(isAbsolutePath)),
    sessionId: isText,
    mcpServers: nullish(listOf(either(byType({
      http: {
        name: isName,
        url: isName,
        headers: listOf(exactObject({
          name: isName,
          value: isText,
        })),
      },
      sse: {
        name: isName,
        url: isName,
        headers: listOf(exactObject({
          name: isName,
          value: isText,
        })),
      },
    }), exactObject({
      type: optional(isAbsent),
      name: isName,
      command: isName,
      args: listOf(isText),
      env: listOf(exactObject({
        name: isName,
        value: isText,
      })),
    })))),
  }),
  ofSession: looseObject({
    sessionId: isText,
  }),
  listSessions: looseObject({
    cwd: nullish(isAbsolutePath),
    cursor: nullish(isText),
  }),
  prompt: looseObject({
    sessionId: isText,
    prompt: listOf(byType({
      text: {
        text: isText,
      },
      image: {
        data: isText,
        mimeType: isText,
        uri: nullish(isText),
      },
      resource_link: {
        uri: isText,
        name: isText,
        title: nullish(isText),
      },
      resource: {
        resource: either(exactObject({
          uri: isText,
          text: isText,
          mimeType: nullish(isText),
        }), exactObject({
          uri: isText,
          blob: isText,
          mimeType: nullish(isText),
        })),
      },
    })),
    _meta: nullish(looseObject({})),
  }),
  setMode: looseObject({
    sessionId: isText,
    modeId: isText,
  }),
  setConfigOption: looseObject({
    sessionId: isText,
    configId: isText,
    value: either(isText, isFlag),
  }),
}));
