"""The words of the training corpus, by what a sentence can do with them.

Notation, so that lists stay readable: `mouse/mice` is a noun and its irregular plural,
`eat/ate/eaten` a verb with its past and participle, `stop+` a verb that doubles its last letter
(stopped, stopping).
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """A noun in both numbers, and what takes its place: he, she, it, or "any" (he or she)."""

    one: str
    many: str
    pronoun: str


class Verb(NamedTuple):
    """A verb in the five forms that English has: eat, eats, ate, eaten, eating."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def noun(entry: str, pronoun: str = "it") -> Noun:
    """Read one entry of a list of nouns."""
    one, _, many = entry.partition("/")
    return Noun(one, many or _with_s(one), pronoun)


def verb(entry: str) -> Verb:
    """Read one entry of a list of verbs."""
    spelled, *irregular = entry.split("/")
    base = spelled.rstrip("+")
    stem = base + base[-1] if spelled.endswith("+") else base
    ing = stem
    if base.endswith("ie"):
        ing = base[:-2] + "y"
    elif base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        ing = base[:-1]
    past = stem + "ed"
    if base.endswith("e"):
        past = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = base[:-1] + "ied"
    if irregular:
        past = irregular[0]
    third = base + "es" if base.endswith("o") else _with_s(base)
    return Verb(base, third, past, irregular[-1] if irregular else past, ing + "ing")


def _words(entries: str) -> tuple[str, ...]:
    return tuple(entries.split())


def _phrases(entries: str) -> tuple[str, ...]:
    """Entries that may be of several words: commas part them."""
    return tuple(" ".join(entry.split()) for entry in entries.split(","))


def _nouns(entries: str, pronoun: str = "it") -> tuple[Noun, ...]:
    return tuple(noun(entry, pronoun) for entry in entries.split())


def _verbs(entries: str) -> tuple[Verb, ...]:
    return tuple(verb(entry) for entry in entries.split())


# ── names ────────────────────────────────────────────────────────────────────────────────────────

HE_NAMES = _words(
    """John Tom Peter James David Michael Robert Paul Mark Daniel Ben Sam Jack Harry Adam Luke
    Max Leo Oscar George Henry Charles Thomas William Joseph Simon Martin Omar Ali Ravi
    Carlos Diego Ivan Hugo Felix Noah Liam Ethan Jacob Lucas Oliver Alan Frank Eric Kevin
    Brian"""
)
SHE_NAMES = _words(
    """Mary Anna Sarah Emma Julia Kate Lucy Alice Jane Lisa Maria Laura Helen Susan Linda Rose
    Grace Ella Mia Sophie Clara Nora Eva Ida Lily Ruby Amy Rachel Hannah Leila Fatima Priya
    Elena Sofia Chloe Olivia Zoe Diana Karen Nancy Emily Claire Ruth Martha Nina Vera"""
)
PLACE_NAMES = _words(
    """London Paris Rome Berlin Madrid Tokyo Cairo Boston Chicago Oslo Vienna Delhi Lima Sydney
    France England Spain Italy Germany China Japan India America Europe Africa Canada Mexico
    Russia Egypt"""
)
DAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = _words(
    "January February March April May June July August September October November December"
)

# ── nouns ────────────────────────────────────────────────────────────────────────────────────────

MEN = _nouns(
    """man/men boy father brother son uncle king prince husband grandfather waiter actor
    policeman/policemen fisherman/fishermen gentleman/gentlemen nephew grandson dad guy""",
    "he",
)
WOMEN = _nouns(
    """woman/women girl mother sister daughter aunt queen princess wife/wives grandmother
    waitress actress lady niece granddaughter mom""",
    "she",
)
JOBS = _nouns(
    """teacher student doctor nurse farmer driver lawyer baker cook writer singer painter
    scientist engineer pilot soldier judge manager worker player artist dancer neighbor
    friend guest visitor child/children baby person/people cousin customer stranger officer
    captain sailor tourist guard clerk poet musician thief/thieves hunter builder dentist
    reporter editor professor author director secretary president mayor priest parent
    traveler programmer researcher pupil chef butcher gardener witness leader member owner
    partner winner boss coach hero/heroes kid passenger patient prisoner reader speaker twin""",
    "any",
)
ANIMALS = _nouns(
    """cat dog horse bird mouse/mice rabbit fox wolf/wolves bear lion tiger cow pig goat
    sheep/sheep duck goose/geese hen fish/fish frog snake turtle monkey elephant donkey
    deer/deer squirrel owl eagle crow bee ant spider puppy kitten lamb rat whale shark
    butterfly animal chicken parrot pony"""
)
THINGS = _nouns(
    """key book ball box cup bag letter chair table lamp phone picture bottle knife/knives fork
    spoon plate bowl pen pencil hammer rope basket clock ring coin candle blanket pillow
    mirror toy doll camera bike car boat kite drum guitar piano violin flag map ticket card
    umbrella bucket brush broom ladder wheel stone stick rock leaf/leaves flower feather
    shell computer radio newspaper magazine notebook envelope package present machine tool
    needle button cabinet drawer shelf/shelves desk sofa bed bench door window curtain
    carpet mat rug gate fence wall painting statue bell engine bus train truck plane ship
    wagon crown sword shield jar pot pan tray screen keyboard cable battery robot suitcase
    wallet purse necklace photo poster note message file page sign balloon puzzle chain nail
    bomb gun glass/glasses stamp rose tree branch log plant bush bone egg nest object item
    gift tent towel sink trophy floor ceiling stove fridge oven cushion vase"""
)
CLOTHES = _nouns(
    """hat coat shirt dress shoe sock glove scarf jacket sweater boot belt skirt tie watch
    uniform"""
)
PLACES = _nouns(
    """house garden park school kitchen store shop market office hospital station church
    library museum hotel restaurant theater farm barn field forest river lake beach island
    mountain hill village town city street road bridge castle tower room hall bedroom
    bathroom basement attic roof yard garage airport bank factory playground corner square
    valley cave harbor port pond stream path tunnel cafe bakery prison palace temple zoo
    stadium classroom camp desert country county building apartment pool court university
    college"""
)
FOODS = _nouns(
    """apple banana orange pear cherry lemon grape cake cookie pie sandwich pizza
    tomato/tomatoes potato/potatoes carrot onion biscuit pancake sausage salad nut bean
    mushroom strawberry peach meal dinner lunch breakfast"""
)
ABSTRACT = _nouns(
    """story song question answer problem idea plan game secret lesson word name number dream
    joke mistake reason result rule test exam report job project movie film show party trip
    race fight war law paper poem speech language fact decision choice chance change promise
    sound noise voice color shape size price part point example case line list group team
    family crowd class company government system method model program network theory
    experiment article chapter sentence token pattern"""
)
MASS = _words(
    """water milk bread rice tea coffee juice soup sugar salt butter cheese honey meat fruit
    money gold silver wood paper sand snow ice rain wine beer oil food medicine work music
    news help time luck hair furniture grass chocolate jam flour pasta"""
)
SINGLE_TOPICS = _words(
    """love peace life death truth history science art nature weather light darkness fire wind
    air earth sky sun moon math physics football tennis chess poetry school freedom justice
    power health energy attention memory information knowledge data education business
    politics religion space sleep hope fear anger joy"""
)
BODY = _nouns(
    """hand foot/feet head eye ear nose mouth face arm leg finger tooth/teeth knee back neck
    heart shoulder"""
)
UNITS = _nouns(
    """day week month year hour minute second morning evening night afternoon summer winter
    spring autumn"""
)

# ── verbs ────────────────────────────────────────────────────────────────────────────────────────

ACT = _verbs(  # what a person or an animal does, nothing needed after it
    """sleep/slept run+/ran/run walk laugh cry smile sit+/sat stand/stood swim+/swam/swum jump
    dance sing/sang/sung wait work rest play shout fall/fell/fallen leave/left arrive
    hide/hid/hidden escape wake/woke/woken return disappear agree listen travel move stay
    eat/ate/eaten drink/drank/drunk wander climb whisper scream hurry breathe die live pray
    sneeze cough talk wave sweat nod+ lie/lay/lain win+/won lose/lost pause"""
)
MOTION = _verbs(
    """go/went/gone walk run+/ran/run come/came/come drive/drove/driven ride/rode/ridden hurry
    travel move fly/flew/flown swim+/swam/swum jump climb rush march return sail"""
)
STAND = _verbs(
    """sit+/sat stand/stood sleep/slept wait lie/lay/lain hide/hid/hidden rest stay live play
    work"""
)
HAPPEN = _verbs(
    """fall/fell/fallen break/broke/broken disappear shine/shone roll sink/sank/sunk burn move
    stop+ start vanish work drop+ shake/shook/shaken crack float spin+/spun"""
)
MEET = _verbs(  # a person or an animal is at the other end
    """see/saw/seen help thank love follow know/knew/known like hate meet/met watch visit call
    invite hear/heard find/found teach/taught chase catch/caught trust hug+ kiss greet tease
    remember forget+/forgot/forgotten warn blame forgive/forgave/forgiven admire scare save
    surprise protect hit+/hit push praise ignore miss need fight/fought beat/beat/beaten
    marry join lead/led punish scold comfort recognize believe understand/understood respect
    fear annoy attack bite/bit/bitten touch feed/fed pay/paid"""
)
HANDLE = _verbs(  # a thing is at the other end
    """find/found lose/lost buy/bought carry break/broke/broken open close take/took/taken
    hold/held drop+ clean wash hide/hid/hidden paint fix move use want need see/saw/seen
    keep/kept pick pull push lift throw/threw/thrown steal/stole/stolen sell/sold make/made
    build/built cut+/cut draw/drew/drawn touch fill burn check repair wrap+ cover collect
    choose/chose/chosen forget+/forgot/forgotten like remember own put+/put shut+/shut
    tie/tied order bring/brought get+/got/gotten kick lock polish destroy replace remove
    borrow return hang/hung dig+/dug design examine notice measure turn"""
)
WEAR = _verbs(
    "wear/wore/worn wash lose/lost find/found buy/bought like need forget+/forgot/forgotten"
)
EAT = _verbs(
    """eat/ate/eaten cook buy/bought like want bake cut+/cut share taste smell order love
    prepare serve enjoy finish"""
)
CONSUME = _verbs(
    """buy/bought need want like sell/sold find/found drink/drank/drunk bring/brought mix spill
    waste pour"""
)
GIVE = _verbs(
    """give/gave/given show/showed/shown send/sent hand offer lend/lent sell/sold bring/brought
    throw/threw/thrown pass pay/paid mail promise"""
)
SAY = _verbs(
    """say/said think/thought know/knew/known believe hope explain reply answer announce claim
    admit+ whisper shout add agree"""
)
KNOW = _verbs(
    """know/knew/known think/thought say/said believe hope remember forget+/forgot/forgotten
    hear/heard see/saw/seen understand/understood learn feel/felt decide notice guess expect
    suppose imagine prove discover mean/meant"""
)
TELL = _verbs("tell/told ask remind warn teach/taught promise")
MIND = _verbs(
    """read/read write/wrote/written tell/told hear/heard understand/understood like love
    know/knew/known discuss explain finish start forget+/forgot/forgotten remember learn
    study begin+/began/begun change solve describe enjoy hate imagine consider"""
)
REFLECT = _verbs(
    """see/saw/seen hurt/hurt wash blame help teach/taught love cut+/cut hide/hid/hidden ask
    dress save find/found describe paint enjoy introduce protect trust control"""
)
WISH = _verbs(
    """want try need hope like love decide begin+/began/begun promise plan+ learn start refuse
    continue forget+/forgot/forgotten agree"""
)
LINK = _verbs("seem look feel/felt become/became/become stay remain appear")
TASTE = _verbs("taste smell look feel/felt seem")
MODALS = _words("can could will would should must may might shall")

# ── adjectives and adverbs ───────────────────────────────────────────────────────────────────────

MOODS = _words(
    """happy sad tired angry hungry thirsty afraid proud busy sick lazy bored excited surprised
    nervous worried lonely calm careful ready sorry safe lucky glad ill drunk quiet alone
    late asleep awake dead alive confused famous rich poor blind free wrong right jealous
    ashamed upset"""
)
TRAITS = _words(
    """young old kind brave clever tall short strong weak honest friendly polite rude shy smart
    wise beautiful fat thin funny gentle serious cruel silly pretty handsome little patient
    curious nice good bad great strange"""
)
SIZES = _words(
    """big small little large tiny huge long short tall heavy light wide narrow thick thin deep
    high low"""
)
QUALITIES = _words(
    """old new clean dirty broken expensive cheap beautiful ugly strange empty full soft hard
    warm cold hot wet dry sharp round flat dark bright pretty good bad great fine rare
    simple special modern ancient important useful lovely nice perfect terrible wonderful
    famous different same real loud rough smooth quick slow fast dangerous open closed local
    tight loose strong"""
)
COLORS = _words("red blue green yellow black white brown gray pink purple orange golden")
TASTES = _words(
    """good bad sweet sour delicious fresh bitter great terrible strange hot cold warm
    wonderful"""
)
TOPIC_TRAITS = _words(
    """good bad long short strange funny easy difficult hard simple interesting boring
    important true false sad new old secret serious clear possible impossible certain common
    public private early late main final first second third last next best worst whole own
    other"""
)
COMPARATIVES = _words(
    """bigger smaller older younger taller shorter faster slower better worse stronger weaker
    longer happier heavier lighter nicer cleaner louder darker brighter higher lower larger
    greater richer poorer"""
)
SUPERLATIVES = _words(
    """biggest smallest oldest youngest tallest fastest best worst strongest nicest largest
    longest"""
)
MANNER = _words(
    """quickly slowly quietly loudly carefully happily sadly suddenly badly well gently easily
    softly angrily politely together alone again outside inside early late hard fast away
    finally safely slightly"""
)
ALWAYS = _words(
    """always never often sometimes usually rarely still already just also really probably
    certainly only"""
)
WHEN = _words(
    "today yesterday tomorrow now tonight soon later then before once here there everywhere"
)
OPENERS = _words(
    """then suddenly finally later next first however also indeed perhaps maybe meanwhile now
    soon so still instead afterwards"""
)
DEGREE = _words("very so too quite really rather extremely almost completely")

# ── function words ───────────────────────────────────────────────────────────────────────────────

PREPOSITIONS = _phrases(
    """near, behind, beside, under, on, above, below, by, with, next to, in front of, from, in,
    inside, outside, around, over, across from, close to, against, beneath, beyond"""
)
WITHIN = ("in", "near", "at", "behind", "inside", "outside", "by", "around")
TOWARDS = _phrases(
    """to, into, through, across, past, towards, around, along, from, out of, over, up to, down
    to"""
)
NUMBERS = _words(
    """two three four five six seven eight nine ten twelve twenty fifty hundred thousand
    million"""
)
SOME_MANY = _phrases("some, many, few, several, all, most, both, these, those, other, more")
ONE = ("every", "each", "this", "that", "another", "one", "any", "no")
