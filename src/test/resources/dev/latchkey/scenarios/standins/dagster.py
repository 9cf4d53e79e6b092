"""In place of Dagster: as much of it as the recipe uses."""
import dataclasses

class AssetExecutionContext: pass

class Failure(Exception):
    def __init__(self, description=None, metadata=None, allow_retries=None):
        super().__init__(description)
        self.allow_retries = allow_retries

@dataclasses.dataclass
class DailyPartitionsDefinition:
    start_date: str

@dataclasses.dataclass
class RetryPolicy:
    max_retries: int
    delay: float

def asset(*, partitions_def, retry_policy):
    def keep(function):
        function.policy = retry_policy
        return function
    return keep
