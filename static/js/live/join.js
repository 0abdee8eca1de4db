// The page on which somebody joins a class: the code, a name if one likes, one button.

import { need } from "../dom/dom.js";
import { classApi, isCertain, isGone, join, open } from "./api.js";
import { isTeacher, keepToken, newToken, remember, remembered, tokenOf } from "./identity.js";
import { backTo, JOINING, NOT_STARTED, noCode } from "./words.js";

const form = need("#join", HTMLFormElement);
const code = need("#code", HTMLInputElement);
const nickname = need("#nickname", HTMLInputElement);
const go = need("#go", HTMLButtonElement);
const said = need("#said", HTMLElement);

const typed = () => code.value.normalize("NFKC").replace(/[\s-]/g, "").toUpperCase(); // NFKC: ＡＢＣ is ABC

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = typed();
  if (!/^[A-Z0-9]{7}$/.test(name)) {
    said.textContent = noCode([...name].length);
    return code.focus();
  }
  const known = tokenOf(name);
  if (isTeacher(known)) return location.assign(`/class/${name}`);
  const again = known ?? newToken();
  keepToken(name, again); // before it is sent: an answer that gets lost can be asked for again
  go.disabled = true;
  said.textContent = JOINING;
  try {
    await join(name, { nickname: nickname.value.trim() || null, again });
    remember({ code: name, nickname: nickname.value.trim() });
    location.assign(`/class/${name}`);
  } catch (error) {
    go.disabled = false;
    if (known === null && isCertain(error)) keepToken(name, null);
    said.textContent = error instanceof Error ? error.message : "";
    code.focus();
  }
});
const start = document.querySelector("#start");
start?.addEventListener("click", async () => {
  try {
    const { code: name, secret } = await open();
    keepToken(name, secret);
    location.assign(`/class/${name}/desk`);
  } catch (error) {
    need("#start-said", HTMLElement).textContent =
      error instanceof Error ? error.message : NOT_STARTED;
  }
});

/** Who was in a class that goes on gets back into it with one tap; the name is there already. */
async function offerBack() {
  const last = remembered();
  if (!last) return;
  nickname.value ||= last.nickname;
  const token = tokenOf(last.code);
  if (!token || (typed() !== "" && typed() !== last.code)) return;
  try {
    await classApi(last.code, token).document();
  } catch (error) {
    if (isGone(error)) {
      keepToken(last.code, null);
      remember(null);
    }
    return;
  }
  const back = need("#back", HTMLAnchorElement);
  back.textContent = backTo(last.code);
  back.href = `/class/${last.code}`;
  back.hidden = false;
  code.value ||= last.code;
}
void offerBack();
need("#join-script", HTMLElement).hidden = true;
